import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** The service worker is told which files make up the page, and gets a new name whenever one of them changes. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    generateBundle(_, bundle) {
      const files = ["/", ...Object.keys(bundle).filter((name) => name.startsWith("assets/")).map((name) => `/${name}`), "/assets/icon.svg"];
      const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
      const source = readFileSync("src/worker.js", "utf-8").replace("__VERSION__", version).replace("__FILES__", JSON.stringify(files));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

export default defineConfig({
  plugins: [svelte(), serviceWorker()],
  build: { outDir: "../src/qwixx/server/web", emptyOutDir: true, assetsInlineLimit: 0 },
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/ws": { target: "ws://127.0.0.1:8000", ws: true } } },
});
