import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { createRoot } from "react-dom/client";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { CaptchaFacts } from "./captcha-facts.ts";
import { useTranslation, shownLanguage } from "../languages.ts";

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

/** The callback of the page that each script calls once it can render widgets. */
const readyName = "latchkeyCaptchaReady";

const globals = globalThis as unknown as Record<string, unknown>;

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
const showWidget = async (
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

/** The parts of the page below the dialog. Providers add their own parts to the body, which must stay usable. */
const partsBelow = (): HTMLElement[] =>
  [...document.body.children].filter(
    (part): part is HTMLElement =>
      part instanceof HTMLElement &&
      (part.id === "root" || part.querySelector('[role="dialog"]') !== null),
  );

/** Calls a function on Escape, wherever the focus is. A dialog below does not close as well. */
const useEscape = (onEscape: () => void): void => {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      escape();
    };
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, []);
};

/** Makes the rest of the page inert, and returns the focus at the end. */
const useModality = (dialog: RefObject<HTMLElement | null>): void =>
  useEffect(() => {
    const before = document.activeElement;
    const parts = partsBelow().filter((part) => !part.contains(dialog.current));
    for (const part of parts) part.inert = true;
    dialog.current?.focus();
    return () => {
      for (const part of parts) part.inert = false;
      if (before instanceof HTMLElement) before.focus();
    };
  }, [dialog]);

const shownTheme = (): "light" | "dark" => {
  const { theme } = document.documentElement.dataset;
  if (theme === "light" || theme === "dark") return theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
};

interface CaptchaDialogProps {
  captcha: CaptchaFacts;
  /** Called with the response, or with undefined if the user gave up. */
  onSettled: (response: string | undefined) => void;
}

interface WidgetProps extends CaptchaDialogProps {
  onFailure: () => void;
}

/** The widget of the provider. */
const Widget = ({ captcha, onSettled, onFailure }: WidgetProps) => {
  const container = useRef<HTMLDivElement>(null);
  const settle = useEffectEvent(onSettled);
  const fail = useEffectEvent(onFailure);
  useEffect(() => {
    const place = document.createElement("div");
    container.current?.append(place);
    const isShown = () => place.isConnected;
    showWidget(place, captcha, {
      theme: shownTheme(),
      onResponse: (response) => isShown() && settle(response),
      onFailure: () => isShown() && fail(),
    }).catch(() => isShown() && fail());
    return () => place.remove();
  }, [captcha]);
  return <div ref={container} className="flex min-h-20 justify-center" />;
};

/** Asks the user to solve the captcha of the provider. */
const CaptchaDialog = (props: CaptchaDialogProps) => {
  const t = useTranslation("captcha");
  const titleId = useId();
  const dialog = useRef<HTMLDivElement>(null);
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  useModality(dialog);
  useEscape(() => props.onSettled(undefined));
  return (
    <div className="fixed inset-0 z-50 grid place-items-center overflow-y-auto bg-shade p-4">
      <div
        ref={dialog}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        className="flex w-full max-w-[22rem] flex-col gap-4 rounded-lg border bg-surface p-5 text-ink shadow-lg outline-none"
      >
        <h2 id={titleId} className="text-lg font-semibold">
          {t("title")}
        </h2>
        {hasFailed ? (
          <>
            <Notice tone="danger" isUrgent>
              {t("failed")}
            </Notice>
            <Button
              kind="primary"
              onClick={() => {
                setAttempt((was) => was + 1);
                setHasFailed(false);
                dialog.current?.focus();
              }}
            >
              {t("page:retry")}
            </Button>
          </>
        ) : (
          <Widget key={attempt} {...props} onFailure={() => setHasFailed(true)} />
        )}
        <Button kind="quiet" onClick={() => props.onSettled(undefined)}>
          {t("page:cancel")}
        </Button>
      </div>
    </div>
  );
};

/** The refusal that the server would give. */
const missing = () => new ApiError({ status: 400, body: { code: "MISSING_CAPTCHA_RESPONSE" } });

const show = async (captcha: CaptchaFacts): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  root.render(<CaptchaDialog captcha={captcha} onSettled={resolve} />);
  const response = await promise;
  root.unmount();
  container.remove();
  if (response === undefined) throw missing();
  return response;
};

/** Returns a function that runs one task after another, whatever the outcome of those before. */
export const createTurns = (): (<T>(run: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const turn = last.then(run);
    last = turn.catch(() => {});
    return turn;
  };
};

const inTurn = createTurns();

/**
 * Asks the user for the response to a captcha. Throws if the user gives up. Each call needs its own response, because a provider accepts it
 * once.
 */
export const requestCaptcha = (captcha: CaptchaFacts): Promise<string> =>
  inTurn(() => show(captcha));
