import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";

mount(App, { target: document.body });

if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
