import { Button } from "@latchkey/ui/components/button.tsx";
import { isLoadFailure } from "@latchkey/ui/components/is-load-failure.ts";
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useErrorText } from "../components/error-text.ts";
import { CardPage } from "../components/card-page.tsx";

/** Shown in place of a screen that failed, with a way to try again. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) => {
  const { t } = useTranslation(["errors", "page"]);
  const { reset: forgetErrors } = useQueryErrorResetBoundary();
  const router = useRouter();
  const text = useErrorText();
  return (
    <CardPage title={t("pages.failed.title")} lead={text(error)}>
      <Button
        kind="primary"
        onClick={() => {
          // React keeps the failure of a component that it could not load.
          if (isLoadFailure(error)) {
            window.location.reload();
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
