import { registerHooks } from "node:module";

const phone = new URL("phone.ts", import.meta.url).href;
/** The modules that replace those of a phone. */
const parts = new Map([
  ["react-native", phone],
  ["expo-constants", "data:text/javascript,export default {}"],
  ["expo-linking", phone],
  ["expo-network", phone],
  ["expo-web-browser", phone],
]);

/** Loads the unmodified published client plugin for Expo on a test phone. Call `unload` when it is no longer used. */
export const loadExpoClient = async () => {
  // Some modules of the phone are imported late, when the plugin opens a browser.
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const url = parts.get(specifier);
      return url ? { url, shortCircuit: true } : next(specifier, context);
    },
  });
  const { expoClient } = await import("@better-auth/expo/client");
  return { expoClient, unload: () => hooks.deregister() };
};
