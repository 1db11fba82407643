import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { useTranslation } from "react-i18next";
import type { English } from "../languages/messages.ts";

type Code = keyof English["front"]["errors"]["codes"];
type AccountCode = keyof English["account"]["accountErrors"];

/** The error of WebAuthn below a failed ceremony. */
const ceremonyName = (error: unknown): string | undefined =>
  error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined;

/** Returns a function that says what went wrong and what to do, in the language that is shown. */
export const useErrorText = (): ((error: unknown) => string) => {
  const { t, i18n } = useTranslation(["errors", "accountErrors"]);
  const byStatus = ({ status, requestId, retryAfterSeconds }: ApiError): string => {
    if (status === 0) return t("network");
    if (status < 300) return t("unreadable");
    if (status === 429) return waitText(retryAfterSeconds ?? 60);
    if (status === 401) return t("signedOut");
    if (status === 403) return t("forbidden");
    if (status === 404) return t("notFound");
    if ([502, 503, 504].includes(status)) return t("unavailable");
    if (status >= 500) return requestId ? t("failedWithId", { id: requestId }) : t("failed");
    return t("refused");
  };
  const waitText = (seconds: number): string =>
    seconds < 120
      ? t("wait", { count: seconds })
      : t("waitMinutes", { count: Math.ceil(seconds / 60) });
  return (error) => {
    if (!(error instanceof ApiError))
      return t(ceremonyName(error) === undefined ? "failed" : "passkey");
    const { code, status } = error;
    if (code === undefined || status === 429) return byStatus(error);
    // The screens for signed-in users have more texts, which are loaded with them.
    if (i18n.exists(code, { ns: "accountErrors" }))
      return t(`accountErrors:${code as AccountCode}`);
    return i18n.exists(`codes.${code}`, { ns: "errors" })
      ? t(`codes.${code as Code}`)
      : byStatus(error);
  };
};
