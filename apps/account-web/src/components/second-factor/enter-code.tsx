import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormError } from "../form-error.tsx";
import { CheckField, TextField } from "../fields.tsx";
import { type CodeKind, codeKinds } from "./code-kinds.ts";
import { endOf } from "./end-of.ts";

interface EnterCodeProps {
  kind: CodeKind;
  offersTrust: boolean;
  onPassed: () => void | Promise<void>;
  /** Without it, the code turns its method on, which may require another proof first. */
  isProof?: boolean | undefined;
  /** The verb of the button. */
  action?: string | undefined;
  /** The sign-in has ended and must begin again. */
  onEnded: (reason: "expired" | "tooMany") => void;
}

const useCodes = ({ kind, isProof = true, onPassed, onEnded }: EnterCodeProps) => {
  const [isSent, setIsSent] = useState(false);
  const settings = {
    isProof,
    meta: { access: "anyone" },
    onError: (error: unknown) => {
      const reason = endOf(error, kind);
      if (reason !== undefined) onEnded(reason);
    },
  };
  const verify = useChange({
    ...settings,
    mutationFn: async (body: { code: string; trustDevice: boolean }) => {
      await call(codeKinds[kind].operation, { body });
      await onPassed();
    },
  });
  const send = useChange({
    ...settings,
    mutationFn: () => call(operations.identity.sendTwoFactorCode, { body: {} }),
    onMutate: () => verify.reset(),
    onSuccess: () => setIsSent(true),
  });
  return { verify, send, isSent };
};

/** Mails a code on request, and says so. */
const MailStep = ({ send, isSent }: Pick<ReturnType<typeof useCodes>, "send" | "isSent">) => {
  const { t } = useTranslation("secondFactor");
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-muted">
        {isSent ? t("mail.sent") : t("mail.hint")}
      </p>
      <Button
        kind={isSent ? "secondary" : "primary"}
        autoFocus
        isBusy={send.isPending}
        onClick={() => send.mutate()}
      >
        {isSent ? t("mail.resend") : t("mail.send")}
      </Button>
    </div>
  );
};

/** The form for codes of one kind. */
export const EnterCode = (props: EnterCodeProps) => {
  const { kind, offersTrust } = props;
  const { t } = useTranslation(["secondFactor", "errors"]);
  const { verify, send, isSent } = useCodes(props);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { code: "", trustDevice: false },
  });
  const { isNumeric } = codeKinds[kind];
  const error = verify.error ?? send.error;
  const isAsked = kind !== "mail" || isSent;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) =>
        void handleSubmit(({ code, trustDevice }) =>
          verify.mutate({ code: code.trim(), trustDevice }),
        )(event)
      }
    >
      {kind === "mail" && <MailStep send={send} isSent={isSent} />}
      {isAsked && (
        <TextField
          {...register("code", { validate: (code) => code.trim() !== "" || t("errors:required") })}
          label={t(`${kind}.label`)}
          hint={kind === "mail" ? undefined : t(`${kind}.hint`)}
          error={formState.errors.code?.message}
          inputMode={isNumeric ? "numeric" : "text"}
          autoComplete={isNumeric ? "one-time-code" : "off"}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          dir="ltr"
        />
      )}
      {isAsked && offersTrust && <CheckField {...register("trustDevice")} label={t("trust")} />}
      {error && <FormError error={error} />}
      {isAsked && (
        <Button type="submit" kind="primary" isBusy={verify.isPending}>
          {props.action ?? t("submit")}
        </Button>
      )}
    </form>
  );
};
