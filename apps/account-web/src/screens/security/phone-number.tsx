import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CodeField } from "@latchkey/ui/components/code-field.tsx";
import { notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { useQuery } from "@tanstack/react-query";
import { Smartphone } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { PhoneField } from "../../components/phone/phone-field.tsx";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";

const { sendPhoneOtp, updateUser, verifyPhoneNumber } = operations.identity;

interface DialogProps {
  /** The title says how the number changes. */
  title: string;
  /** The number that the field has at first. */
  present: string;
  onClose: () => void;
}

interface EnterCodeProps extends Pick<DialogProps, "onClose" | "title"> {
  phoneNumber: string;
}

const EnterCode = ({ title, phoneNumber, onClose }: EnterCodeProps) => {
  const t = useTranslation("security");
  const verify = useOperation(verifyPhoneNumber, {
    done: t("phone.done"),
    onDone: onClose,
    showsError: true,
  });
  const form = useForm({
    defaultValues: { code: "" },
    change: verify,
    onSubmit: ({ code }) =>
      verify.mutate({ body: { phoneNumber, code: code.trim(), updatePhoneNumber: true } }),
  });
  return (
    <FormDialog
      form={form}
      title={title}
      description={t("phone.code", { number: phoneNumber })}
      action={t("phone.save")}
      onClose={onClose}
    >
      <CodeField
        {...form.field("code", { validate: notBlank(t("errors:required")) })}
        label={t("signIn:codeSent.code")}
        hint={t("page:codeHint")}
        length={facts.codeLengths.phone}
        autoFocus
      />
    </FormDialog>
  );
};

/** Sends a code to a number, and makes the number the user's by the code. */
const SetNumber = ({ title, present, onClose }: DialogProps) => {
  const t = useTranslation("security");
  const [phoneNumber, setPhoneNumber] = useState<string>();
  const send = useChange({
    mutationFn: (entered: string) => call(sendPhoneOtp, { body: { phoneNumber: entered } }),
    onSuccess: (_reply, entered) => setPhoneNumber(entered),
  });
  const form = useForm({
    defaultValues: { phoneNumber: present },
    change: send,
    onSubmit: (entered) => send.mutate(entered.phoneNumber.trim()),
  });
  if (phoneNumber !== undefined)
    return <EnterCode title={title} phoneNumber={phoneNumber} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      title={title}
      description={t("phone.addText")}
      action={t("phone:send")}
      onClose={onClose}
    >
      <PhoneField field={form.field} />
    </FormDialog>
  );
};

const RemoveNumber = ({ onClose }: Pick<DialogProps, "onClose">) => {
  const t = useTranslation("security");
  const remove = useOperation(updateUser, { done: t("phone.removed"), onDone: onClose });
  return (
    <ConfirmDialog
      title={t("phone.removeTitle")}
      description={t("phone.removeText")}
      action={t("phone.remove")}
      change={remove}
      onConfirm={() => remove.mutate({ body: { phoneNumber: null } })}
      onClose={onClose}
    />
  );
};

/** The phone number of the user. */
export const PhoneNumber = () => {
  const t = useTranslation("security");
  const { data: session } = useQuery(sessionQuery);
  const [open, setOpen] = useState<"remove" | "set">();
  const { phoneNumber = null, phoneNumberVerified = false } = session?.user ?? {};
  const close = () => setOpen(undefined);
  const isPending = phoneNumber !== null && !phoneNumberVerified;
  const replace = t(phoneNumber === null ? "phone.add" : "phone.change");
  const title = isPending ? t("phone.confirm") : replace;
  return (
    <Panel title={t("phone.title")} text={t("phone.text")}>
      <Rows label={t("phone.title")}>
        <Row
          mark={<Smartphone className="size-5 shrink-0 text-muted" />}
          title={phoneNumber === null ? t("phone.none") : <bdi dir="ltr">{phoneNumber}</bdi>}
          badges={isPending && <Badge>{t("phone.unproven")}</Badge>}
          actions={
            <>
              <Button onClick={() => setOpen("set")}>{title}</Button>
              {phoneNumber !== null && (
                <Button onClick={() => setOpen("remove")}>{t("phone.remove")}</Button>
              )}
            </>
          }
        />
      </Rows>
      {open === "set" && (
        <SetNumber title={title} present={isPending ? phoneNumber : ""} onClose={close} />
      )}
      {open === "remove" && <RemoveNumber onClose={close} />}
    </Panel>
  );
};
