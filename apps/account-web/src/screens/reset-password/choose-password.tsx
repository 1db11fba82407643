import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { Link, useSearch } from "@tanstack/react-router";
import { CardPage } from "../../components/card-page.tsx";
import type { EndingMethods } from "../../components/confirm-claim.tsx";
import { NewPasswordField } from "../../components/new-password-field.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";

/** Says what a stranger may have set up, and a new password ends. */
const EndingNotice = ({ ends }: { ends: EndingMethods }) => {
  const t = useTranslation("password");
  return (
    <Notice tone="warning">
      <p>{t("reset.claim")}</p>
      {ends.length > 0 && (
        <>
          <p>{t("reset.removes")}</p>
          <ul className="my-1 list-disc ps-5">
            {ends.map((method) => (
              <li key={method}>{t(`signIn:claim.${method}`)}</li>
            ))}
          </ul>
        </>
      )}
      <p>{t("signIn:claim.rest")}</p>
    </Notice>
  );
};

interface ChoosePasswordProps {
  /** The other sign-in methods that a reset deletes, because its user has not proven the email. */
  ends: EndingMethods | undefined;
  save: (newPassword: string) => Promise<unknown>;
  /** Called if the link or code has ended meanwhile. */
  onEnded: (refusal: ApiError) => void;
}

const endings = new Set(["INVALID_TOKEN", "INVALID_OTP", "OTP_EXPIRED", "TOO_MANY_ATTEMPTS"]);

const useReset = ({ save, onEnded }: ChoosePasswordProps) =>
  useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: (newPassword: string) =>
      save(newPassword).catch((error: unknown) => {
        if (error instanceof ApiError && endings.has(error.code ?? "")) onEnded(error);
        throw error;
      }),
  });

/** Takes the new password, and says before what it ends. */
export const ChoosePassword = (props: ChoosePasswordProps) => {
  const { ends } = props;
  const t = useTranslation("password");
  const { redirect_to } = useSearch({ strict: false });
  const reset = useReset(props);
  const form = useForm({
    defaultValues: { newPassword: "" },
    change: reset,
    onSubmit: ({ newPassword }) => reset.mutate(newPassword),
  });
  if (reset.isSuccess)
    return (
      <CardPage outcome="done" title={t("changed.title")} lead={t("changed.text")}>
        <Link to="/sign-in" search={{ redirect_to }} className={buttonStyle("primary")}>
          {t("changed.signIn")}
        </Link>
      </CardPage>
    );
  return (
    <CardPage title={t("reset.title")}>
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary" isBusy={reset.isPending}>
            {t("reset.submit")}
          </Button>
        }
      >
        {ends && <EndingNotice ends={ends} />}
        <NewPasswordField
          label={t("newPassword")}
          field={(rules) => form.field("newPassword", rules)}
          autoFocus
        />
        {!ends && isOffered(operations.apikey.listApiKeys) && (
          <p className="text-muted">{t(facts.keySessions ? "reset.keysEnd" : "reset.keysStay")}</p>
        )}
      </Form>
    </CardPage>
  );
};
