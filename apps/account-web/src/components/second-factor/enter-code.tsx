import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useState } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { facts } from "../../facts.ts";
import { CodeField } from "@latchkey/ui/components/code-field.tsx";
import { useTranslation } from "../../languages.ts";
import { CheckField, TextField } from "@latchkey/ui/components/fields.tsx";
import { type CodeKind, codeKinds } from "./code-kinds.ts";
import { endOf } from "./end-of.ts";

interface EnterCodeProps {
  kind: CodeKind;
  offersTrust: boolean;
  /** Receives new backup codes if the code has turned its method on. */
  onPassed: (backupCodes?: readonly string[]) => void | Promise<void>;
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
      const passed = await call(codeKinds[kind], { body });
      await onPassed("backupCodes" in passed ? passed.backupCodes : undefined);
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
  const t = useTranslation("secondFactor");
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
  const t = useTranslation("secondFactor");
  const { verify, send, isSent } = useCodes(props);
  const form = useForm({
    defaultValues: { code: "", trustDevice: false },
    change: { error: verify.error ?? send.error, isPending: verify.isPending },
    onSubmit: ({ code, trustDevice }) => verify.mutate({ code: code.trim(), trustDevice }),
  });
  const field = form.field("code", { validate: notBlank(t("errors:required")) });
  const isAsked = kind !== "mail" || isSent;
  return (
    <Form
      form={form}
      foot={
        isAsked && (
          <Button type="submit" kind="primary" isBusy={verify.isPending}>
            {props.action ?? t("submit")}
          </Button>
        )
      }
    >
      {kind === "mail" && <MailStep send={send} isSent={isSent} />}
      {/* Before the code, which is sent with its last digit. */}
      {isAsked && offersTrust && <CheckField {...form.field("trustDevice")} label={t("trust")} />}
      {isAsked && kind === "backup" && (
        <TextField
          {...field}
          label={t("backup.label")}
          hint={t("backup.hint")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          dir="ltr"
        />
      )}
      {isAsked && kind !== "backup" && (
        <CodeField
          {...field}
          label={t(`${kind}.label`)}
          hint={
            <>
              {kind === "app" && t("app.hint")} {t("page:codeHint")}
            </>
          }
          length={facts.codeLengths[kind]}
          autoFocus
        />
      )}
    </Form>
  );
};
