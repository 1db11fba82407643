import { Button } from "@latchkey/ui/components/button.tsx";
import { isLoadFailure, reloadPage } from "@latchkey/ui/components/is-load-failure.ts";
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useErrorText } from "@latchkey/ui/errors/explain-error.ts";
import { CardPage } from "../components/card-page.tsx";
import { useTranslation } from "../languages.ts";

/** Shown in place of a screen that failed, with a way to try again. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) => {
  const t = useTranslation("errors");
  const { reset: forgetErrors } = useQueryErrorResetBoundary();
  const router = useRouter();
  const text = useErrorText();
  const isUnloaded = isLoadFailure(error);
  useEffect(() => {
    if (!isUnloaded) return undefined;
    const reload = () => void reloadPage();
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, [isUnloaded]);
  return (
    <CardPage
      outcome="failed"
      title={t("pages.failed.title")}
      lead={isUnloaded ? t("network") : text(error).message}
    >
      <Button
        kind="primary"
        onClick={() => {
          // React keeps the failure of a component that it could not load.
          if (isUnloaded) {
            void reloadPage();
            return;
          }
          forgetErrors();
          reset();
          void router.invalidate();
        }}
      >
        {t("page:retry")}
      </Button>
    </CardPage>
  );
};
