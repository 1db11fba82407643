import { useSyncExternalStore } from "react";

const themes = ["system", "light", "dark"] as const;

/** `system` follows the setting of the operating system. */
export type Theme = (typeof themes)[number];

const key = "latchkey.theme";
const changed = "latchkey-theme";

const readTheme = (): Theme =>
  themes.find((theme) => theme === localStorage.getItem(key)) ?? "system";

/** Applies the stored theme. Call it once before the first render. */
export const applyTheme = (): void => {
  const theme = readTheme();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
};

/** Applies a theme and stores the choice in this browser. */
export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem(key, theme);
  applyTheme();
  window.dispatchEvent(new Event(changed));
};

const follow = (onChange: () => void) => {
  window.addEventListener(changed, onChange);
  return () => window.removeEventListener(changed, onChange);
};

export const useTheme = (): Theme => useSyncExternalStore(follow, readTheme);
