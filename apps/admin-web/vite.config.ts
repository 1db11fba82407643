import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { contractsInBrief } from "./build/contracts-in-brief.ts";

/** Where a running Latchkey answers while the web is being worked on. */
const latchkeyUrl = process.env["LATCHKEY_URL"] ?? "http://localhost:3000";

export default defineConfig({
  root: import.meta.dirname,
  base: "/admin/",
  plugins: [react(), tailwindcss()],
  define: { LATCHKEY_CONTRACTS: JSON.stringify(contractsInBrief()) },
  // Chunks find each other beside themselves, so that the page may be served below another path.
  experimental: {
    renderBuiltUrl: (_file, { hostType }) => (hostType === "js" ? { relative: true } : undefined),
  },
  build: {
    target: "baseline-widely-available",
    // For light-dark(), in which both themes are written.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The page may load nothing but files of its own: no data: URL, and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    manifest: true,
  },
  server: { proxy: { "/api": { target: latchkeyUrl, changeOrigin: false } } },
});
