"""Tables that people share over the network: protocol, rooms, storage, web app."""
