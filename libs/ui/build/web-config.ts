import { brandingOptions, lookOf, pageStyle } from "@latchkey/contracts";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin, UserConfig } from "vite";
import { compileHints } from "./compile-hints.ts";
import { contractsInBrief, eventsInBrief } from "./contracts-in-brief.ts";
import { screenFiles } from "./screen-files.ts";
import { staticImports } from "./static-imports.ts";
import type { WebName } from "./web-sources.ts";

/** The running Latchkey to which the development server forwards requests. */
const latchkeyUrl = process.env["LATCHKEY_URL"] ?? "http://localhost:3000";

interface ChunkGroup {
  name: string | ((moduleId: string) => string | null);
  /** Names a group in the build's report whose name is a function. */
  debugName?: string;
  test?: RegExp;
  tags?: "$initial"[];
  minShareCount?: number;
  priority: number;
}

/** A file of several screens. */
interface ScreenGroup extends ChunkGroup {
  name: string;
  /** Whether screens call most of its functions before they show data. */
  isCalledOnLoad?: boolean;
}

interface WebBuild {
  web: WebName;
  /** The folder of the web. */
  root: string;
  /** The files into which modules are grouped. Everything else is divided by its users. */
  chunkGroups: ScreenGroup[];
  /** The modules of the screen with which most visits begin, and small ones that popups share. They are part of the main file, which saves requests. */
  firstScreen?: RegExp;
  /** Whether the page begins with a script of its own, which sends requests before it loads the main file. */
  beginsBeforeMain?: boolean;
}

/** Everything that every screen needs, after the script with which the page begins. One file is smaller, if that script is the main one. */
const startGroups = (isOfMain: (id: string) => boolean, beginsBeforeMain: boolean) =>
  beginsBeforeMain
    ? [
        { name: "first", tags: ["$initial" as const], priority: 7 },
        { name: "main", test: isOfMain, priority: 6 },
      ]
    : [{ name: "first", test: isOfMain, priority: 7 }];

/** The package exports all icons from one file, so importing one seems to import all of them. */
const icons = /\/lucide-react\/dist\/esm\/icons\//;

/** The scripts of which the page calls most functions before it shows anything. */
const calledOnLoad = ["first", "main"];

/** Gives pages of the development server the default look, because no gateway serves it. */
const defaultLook: Plugin = {
  name: "default-look",
  apply: "serve",
  transformIndexHtml: () => {
    const appName = "Latchkey";
    const look = lookOf(brandingOptions.parse({}), { appName, addressOf: (source) => source });
    return [{ tag: "style", children: pageStyle(look) }];
  },
};

/** Returns the paths that the development server forwards: calls, and the other web, because both lead to each other. */
const forwardedPaths = (web: WebName) =>
  Object.fromEntries(
    ["/api", `/${web === "admin" ? "account" : "admin"}`].map((path) => [
      path,
      { target: latchkeyUrl, changeOrigin: false },
    ]),
  );

/** Returns the settings of Vite for a web. */
export const webConfig = ({
  web,
  root,
  chunkGroups,
  firstScreen,
  beginsBeforeMain = false,
}: WebBuild): UserConfig => {
  const main = staticImports(`apps/${web}-web/src/main.tsx`);
  const isOfMain = (id: string) =>
    (main.has(id) && !icons.test(id)) || firstScreen?.test(id) === true;
  return {
    root,
    base: `/${web}/`,
    plugins: [
      react(),
      tailwindcss(),
      screenFiles(),
      defaultLook,
      main.plugin,
      compileHints([
        ...calledOnLoad,
        ...chunkGroups.flatMap(({ name, isCalledOnLoad }) => (isCalledOnLoad ? [name] : [])),
      ]),
    ],
    define: {
      LATCHKEY_CONTRACTS: JSON.stringify(contractsInBrief(web)),
      // A constant of its own, so that only screens that import it load it.
      LATCHKEY_EVENTS: JSON.stringify(eventsInBrief()),
    },
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
      rolldownOptions: {
        output: {
          // The first script names every other one. Seven characters of a hash keep it small, and suffice for these files.
          chunkFileNames: "assets/[name]-[hash:7].js",
          entryFileNames: "assets/[name]-[hash:7].js",
          codeSplitting: {
            groups: [
              ...startGroups(isOfMain, beginsBeforeMain),
              ...chunkGroups.map(({ isCalledOnLoad: _, ...group }) => group),
            ],
          },
        },
      },
    },
    server: { proxy: forwardedPaths(web) },
  };
};
