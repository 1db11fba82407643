import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { showWidget } from "./captcha-widget.ts";
import type { CaptchaFacts } from "./captcha-facts.ts";

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
export const CaptchaDialog = (props: CaptchaDialogProps) => {
  const { t } = useTranslation(["captcha", "page"]);
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
        className="flex w-full max-w-[22rem] flex-col gap-4 rounded-xl border bg-surface p-5 text-ink shadow-xl outline-none"
      >
        <h2 id={titleId} className="text-base font-semibold">
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
