import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { contractsInBrief } from "./build/contracts-in-brief.ts";

/** The running Latchkey to which the development server forwards requests. */
const latchkeyUrl = process.env["LATCHKEY_URL"] ?? "http://localhost:3000";

/**
 * Few files of some size: on a slow network each request costs more than a few kilobytes that a screen does not need. Each group
 * becomes one file, with what its modules import. Everything else is divided by its users.
 */
const chunkGroups = [
  { name: "first", tags: ["$initial" as const], priority: 5 },
  {
    name: "basics",
    test: /components\/(ui\/(badge|card|copy-id|day-range|day-text|empty-state|facts|relative-time|table|use-now)|errors|page|save-file)|src\/(api|access)\/|lucide-react|react-query/,
    minShareCount: 2,
    priority: 4,
  },
  { name: "days", test: /components\/ui\/date-range-picker/, minShareCount: 2, priority: 3 },
  {
    name: "lists",
    test: /components\/(data-table|export|ui\/(alert-dialog|checkbox|progress|select))|react-table/,
    minShareCount: 2,
    priority: 2,
  },
  { name: "forms", test: /react-hook-form|@hookform/, minShareCount: 2, priority: 1 },
];

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
    chunkSizeWarningLimit: 800,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { proxy: { "/api": { target: latchkeyUrl, changeOrigin: false } } },
});
