import { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { looksLikeEmail } from "../../components/email-rule.ts";
import { TextField } from "../../components/fields.tsx";
import { FormError } from "../../components/form-error.tsx";
import { facts } from "../../facts.ts";
import { outcomeAddress } from "../../session/outcome-address.ts";
import type { User } from "./user.ts";

interface ChangeEmailProps {
  /** A verified email confirms its change by a link. */
  isVerified: boolean;
  onClose: () => void;
}

const ChangeEmail = ({ isVerified, onClose }: ChangeEmailProps) => {
  const { t } = useTranslation("profile");
  const { register, handleSubmit, formState } = useForm({ defaultValues: { newEmail: "" } });
  const change = useAct(operations.identity.changeEmail, {
    done: t(isVerified ? "email.requested" : "email.changed"),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t("email.change")}
      description={t(isVerified ? "email.confirmText" : "email.atOnceText")}
      action={t(isVerified ? "email.send" : "email.change")}
      change={change}
      onSubmit={handleSubmit(({ newEmail }) =>
        change.mutate({
          body: { newEmail: newEmail.trim(), callbackURL: outcomeAddress("/change-email") },
        }),
      )}
      onClose={onClose}
    >
      <TextField
        {...register("newEmail", {
          validate: (email) => looksLikeEmail(email) || t("email.enterEmail"),
        })}
        label={t("email.newEmail")}
        error={formState.errors.newEmail?.message}
        type="email"
        autoComplete="email"
        dir="ltr"
      />
    </FormDialog>
  );
};

/** The email of the user, its verification and its change. */
export const Email = ({ user: { email, emailVerified } }: { user: User }) => {
  const { t } = useTranslation("profile");
  const [isChanging, setIsChanging] = useState(false);
  const resend = useAct(operations.identity.sendVerificationEmail, {
    done: t("email.resent", { email }),
  });
  const body = { email, callbackURL: outcomeAddress("/verify-email") };
  return (
    <Panel title={t("email.title")}>
      <Rows label={t("email.title")}>
        <Row
          title={
            <>
              <bdi className="min-w-0 break-all">{email}</bdi>
              {emailVerified ? (
                <Badge tone="success">{t("email.verified")}</Badge>
              ) : (
                <Badge tone="warning">{t("email.unverified")}</Badge>
              )}
            </>
          }
          actions={
            <>
              {!emailVerified && (
                <Button isBusy={resend.isPending} onClick={() => resend.mutate({ body })}>
                  {t("email.resend")}
                </Button>
              )}
              {facts.changes.email && (
                <Button onClick={() => setIsChanging(true)}>{t("email.change")}</Button>
              )}
            </>
          }
        />
      </Rows>
      {resend.error && <FormError error={resend.error} />}
      {isChanging && (
        <ChangeEmail isVerified={emailVerified} onClose={() => setIsChanging(false)} />
      )}
    </Panel>
  );
};
