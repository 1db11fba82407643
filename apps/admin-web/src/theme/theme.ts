import { useSyncExternalStore } from "react";

const themes = ["system", "light", "dark"] as const;

/** How the page looks; `system` is as the system says. */
export type Theme = (typeof themes)[number];

const key = "latchkey.theme";
const changed = "latchkey-theme";

const readTheme = (): Theme =>
  themes.find((theme) => theme === localStorage.getItem(key)) ?? "system";

/** Has the page look as it was chosen; to be called once before anything is shown. */
export const applyTheme = (): void => {
  const theme = readTheme();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
};

/** Chooses a theme, and keeps the choice in this browser. */
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
