import type { OperationReply } from "@latchkey/contracts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { needTexts, useTranslation } from "../languages.ts";

const { checkVerificationOtp } = operations.identity;

/** The sign-in methods that a mailed code removes, because its user has not proven the email. */
export type EndingMethods = NonNullable<OperationReply<typeof checkVerificationOtp>["ends"]>;

/** Returns what the use of a code removes, or undefined if nothing. The check of an address without a user fails, and nothing ends. */
export const findEnding = async (
  type: "email-verification" | "sign-in",
  code: { email: string; otp: string },
): Promise<EndingMethods | undefined> => {
  try {
    const { ends } = await call(checkVerificationOtp, { body: { ...code, type } });
    // Few codes remove something, so the warning is not among the first texts.
    if (ends) await needTexts("account");
    return ends;
  } catch (error) {
    if (error instanceof ApiError && error.code === "USER_NOT_FOUND") return undefined;
    throw error;
  }
};

interface ConfirmClaimProps {
  ends: EndingMethods;
  /** The text of the button that removes them. */
  confirmLabel: string;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onUsePassword: () => void;
}

/** Names the sign-in methods that a code removes, and offers the password instead. */
export const ConfirmClaim = (props: ConfirmClaimProps) => {
  const { ends, confirmLabel, isPending, error, onConfirm, onUsePassword } = props;
  const t = useTranslation("claim");
  const hasPassword = ends.includes("password");
  return (
    <>
      <ul className="list-disc ps-5">
        {ends.map((method) => (
          <li key={method}>{t(`signIn:claim.${method}`)}</li>
        ))}
      </ul>
      <p>{t("signIn:claim.rest")}</p>
      {hasPassword && (
        <>
          <p>{t("choose")}</p>
          <Notice>{t("instead")}</Notice>
        </>
      )}
      {error && <FormError error={error} />}
      {hasPassword && (
        <Button kind="primary" onClick={onUsePassword}>
          {t("usePassword")}
        </Button>
      )}
      <Button kind="danger" isBusy={isPending} onClick={onConfirm}>
        {confirmLabel}
      </Button>
    </>
  );
};
