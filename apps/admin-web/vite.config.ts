import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { contractsInBrief } from "./build/contracts-in-brief.ts";

/** The running Latchkey to which the development server forwards requests. */
const latchkeyUrl = process.env["LATCHKEY_URL"] ?? "http://localhost:3000";

export default defineConfig({
  root: import.meta.dirname,
  base: "/admin/",
  plugins: [react(), tailwindcss()],
  define: { LATCHKEY_CONTRACTS: JSON.stringify(contractsInBrief()) },
  // Chunks use relative addresses, so that the page can be served below any path.
  experimental: {
    renderBuiltUrl: (_file, { hostType }) => (hostType === "js" ? { relative: true } : undefined),
  },
  build: {
    target: "baseline-widely-available",
    // Needed for light-dark(), which defines both themes.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The content security policy allows files of the page's origin only: no data: URLs and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    manifest: true,
  },
  server: { proxy: { "/api": { target: latchkeyUrl, changeOrigin: false } } },
});
