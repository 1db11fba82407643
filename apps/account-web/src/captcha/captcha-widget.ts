import { shownLanguage } from "../languages/i18n.ts";
import type { CaptchaFacts } from "./captcha-facts.ts";

interface WidgetOptions {
  sitekey: string;
  theme: "light" | "dark";
  language: string;
  callback: (response: string) => void;
  "error-callback": () => void;
}

/** The part of a provider's script that the page uses. It is the same for all of them. */
interface WidgetScript {
  render: (container: HTMLElement, options: WidgetOptions) => unknown;
}

type Provider = CaptchaFacts["provider"];

interface ProviderScript {
  url: string;
  /** The name of the object that it defines. */
  global: string;
  /** The parameter for the language. Other scripts read it from the options of the widget. */
  languageParameter?: "hl";
}

const scripts: Record<Provider, ProviderScript> = {
  "cloudflare-turnstile": {
    url: "https://challenges.cloudflare.com/turnstile/v0/api.js",
    global: "turnstile",
  },
  "google-recaptcha": {
    url: "https://www.google.com/recaptcha/api.js",
    global: "grecaptcha",
    languageParameter: "hl",
  },
  hcaptcha: {
    url: "https://js.hcaptcha.com/1/api.js",
    global: "hcaptcha",
    languageParameter: "hl",
  },
};

/** The function of the page that each script calls once it can render widgets. */
const readyName = "latchkeyCaptchaReady";

const globals = window as unknown as Record<string, unknown>;

const load = (provider: Provider): Promise<WidgetScript> => {
  const { promise, resolve, reject } = Promise.withResolvers<WidgetScript>();
  const { url, global, languageParameter } = scripts[provider];
  globals[readyName] = () => resolve(globals[global] as WidgetScript);
  const element = document.createElement("script");
  const query = new URLSearchParams({ render: "explicit", onload: readyName });
  if (languageParameter) query.set(languageParameter, shownLanguage());
  element.src = `${url}?${query.toString()}`;
  element.addEventListener("error", () => {
    element.remove();
    reject(new Error("the script of the captcha could not be loaded"));
  });
  document.head.append(element);
  return promise;
};

let loading: Promise<WidgetScript> | undefined;

/** Loads the script once. A later request tries again after a failure. */
const loadOnce = (provider: Provider): Promise<WidgetScript> => {
  loading ??= load(provider).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
};

interface WidgetUse {
  theme: WidgetOptions["theme"];
  onResponse: (response: string) => void;
  onFailure: () => void;
}

/** Shows the widget of the configured provider in an element. Rejects if its script cannot be loaded. */
export const showWidget = async (
  container: HTMLElement,
  { provider, siteKey }: CaptchaFacts,
  { theme, onResponse, onFailure }: WidgetUse,
): Promise<void> => {
  const script = await loadOnce(provider);
  // The user may have given up meanwhile.
  if (!container.isConnected) return;
  script.render(container, {
    sitekey: siteKey,
    theme,
    language: shownLanguage(),
    callback: onResponse,
    "error-callback": onFailure,
  });
};
