// A bot in JavaScript for `qwixx arena "cmd:node docs/examples/first_choice.mjs" random`: the first legal action.
import { createInterface } from "node:readline";

const tell = (message) => console.log(JSON.stringify(message));

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") tell({ type: "hello", protocol: 1, name: "first choice" });
  if (message.type === "choose") tell({ type: "choose", action: message.legal[0] });
}
