import type { SignUpField } from "@latchkey/contracts";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { useState } from "react";
import { useForm, notBlank } from "@latchkey/ui/form/use-form.ts";
import { useOperation, useReread } from "@latchkey/ui/api/use-operation.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { Screen } from "../../components/account/screen.tsx";
import { useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { mailsCode, sendVerification } from "../../components/verification/send-verification.ts";
import { VerificationForm } from "../../components/verification/verification-form.tsx";
import { facts } from "../../facts.ts";
import { outcomeAddress } from "../../session/outcome-address.ts";
import { ChangeEmailByCode, EnterNewEmail } from "./change-email.tsx";
import { EditPicture } from "../../components/account/edit-picture.tsx";
import { isUploadedPicture } from "../../components/account/may-load-picture.ts";
import { picturePlaces } from "../../components/account/picture.tsx";
import {
  additionalFieldPaths,
  AdditionalFields,
} from "../../components/additional-fields/additional-fields.tsx";
import {
  changedValues,
  profileFields,
  storedTexts,
} from "../../components/additional-fields/field-values.ts";
import { takesUsernames } from "../../components/takes-usernames.ts";

/** The signed-in user as the session contains it. */
type User = NonNullable<CallReply<typeof operations.identity.getSession>>["user"];

const isWebAddress = (text: string): boolean =>
  text === "" || (URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol));

const shownFields = profileFields(facts.fields);

const valuesOf = (user: User) => {
  const { name, image, displayUsername, username } = user;
  return {
    name,
    image: image && !isUploadedPicture(image, picturePlaces) ? image : "",
    username: displayUsername ?? username ?? "",
    fields: storedTexts(shownFields, user),
  };
};

const useProfileForm = (user: User) => {
  const t = useTranslation("profile");
  const save = useOperation(operations.identity.updateUser, { done: t("you.saved") });
  const form = useForm<ReturnType<typeof valuesOf>>({
    values: valuesOf(user),
    // A reading in the background replaces only what the user has not changed.
    resetOptions: { keepDirtyValues: true },
    change: save,
    fieldOf: additionalFieldPaths,
    onSubmit: ({ name, image, username, fields }): unknown =>
      save.mutate({
        body: {
          ...changedValues(shownFields, fields, user),
          ...(dirtyFields.name && { name: name.trim() }),
          ...(dirtyFields.image && { image: image.trim() || null }),
          ...(dirtyFields.username && { username: username.trim() }),
        },
      }),
  });
  const { dirtyFields } = form.formState;
  return form;
};

const { uploadPicture, updateUser } = operations.identity;

const ProfilePicture = ({ user: { name, image } }: { user: User }) => (
  <EditPicture
    name={name}
    address={image}
    fit="cover"
    upload={(picture) => call(uploadPicture, { body: { picture } })}
    remove={() => call(updateUser, { body: { image: null } })}
  />
);

/** Returns a field. That of the language of mails has this label unless the installation chose one. */
const labelled = (field: SignUpField, mailLanguage: string): SignUpField =>
  field.name === "locale" ? { ...field, label: field.label ?? mailLanguage } : field;

/** Changes what the user shows to others, and the additional fields of the installation. */
const ProfileForm = ({ user }: { user: User }) => {
  const t = useTranslation("profile");
  const fields = shownFields.map((field) => labelled(field, t("you.mailLanguage")));
  const form = useProfileForm(user);
  return (
    <Panel title={t("you.title")} text={t("you.text")}>
      <Form
        form={form}
        foot={
          <div>
            <Button
              type="submit"
              kind="primary"
              disabled={!form.formState.isDirty}
              isBusy={form.isPending}
            >
              {t("you.save")}
            </Button>
          </div>
        }
      >
        <ProfilePicture user={user} />
        <TextField
          {...form.field("name", { validate: notBlank(t("errors:required")) })}
          label={t("you.name")}
          autoComplete="name"
          dir="auto"
        />
        {takesUsernames && (
          <TextField
            {...form.field("username")}
            label={t("you.username")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
          />
        )}
        {facts.pictureOrigins.length > 0 && (
          <TextField
            {...form.field("image", {
              validate: (text) => isWebAddress(text.trim()) || t("you.imageFault"),
            })}
            label={t("you.image")}
            hint={t("you.imageHint")}
            type="url"
            inputMode="url"
            autoComplete="photo"
            dir="ltr"
          />
        )}
        <AdditionalFields field={form.field} fields={fields} />
      </Form>
    </Panel>
  );
};

interface ChangeEmailProps {
  /** A verified email confirms its change by a link. */
  isVerified: boolean;
  /** The new email was mailed a code. */
  onCode: () => void;
  onClose: () => void;
}

const ChangeEmail = ({ isVerified, onCode, onClose }: ChangeEmailProps) => {
  const t = useTranslation("profile");
  const takesCode = mailsCode && !isVerified;
  const change = useOperation(operations.identity.changeEmail, {
    done: takesCode ? undefined : t(isVerified ? "email.requested" : "email.changed"),
    onDone: () => {
      onClose();
      if (takesCode) onCode();
    },
  });
  return (
    <EnterNewEmail
      description={t(isVerified ? "email.confirmText" : "email.atOnceText")}
      action={t(isVerified ? "email.send" : "email.change")}
      change={change}
      onEmail={(newEmail) =>
        change.mutate({ body: { newEmail, callbackURL: outcomeAddress("/change-email") } })
      }
      onClose={onClose}
    />
  );
};

/** Takes the code that was mailed to the email of the user. */
const VerifyEmail = ({ email, onClose }: { email: string; onClose: () => void }) => {
  const t = useTranslation("verification");
  const reread = useReread();
  return (
    <OpenDialog
      title={t("title")}
      description={t("code", { email: showEmail(email) })}
      onClose={onClose}
    >
      <VerificationForm
        email={email}
        takesCode
        send={sendVerification}
        onVerified={async () => {
          toasts.add({ title: t("profile:email.verified"), type: "success" });
          onClose();
          await reread();
        }}
      />
    </OpenDialog>
  );
};

/** The email of the user, its verification and its change. */
const Email = ({ user: { email, emailVerified } }: { user: User }) => {
  const t = useTranslation("profile");
  const [isChanging, setIsChanging] = useState(false);
  const [isVerifying, setIsVerifying] = useState(false);
  const resend = useChange({
    mutationFn: () => sendVerification(email),
    onSuccess: () => {
      if (mailsCode) setIsVerifying(true);
      else toasts.add({ title: t("email.resent", { email: showEmail(email) }), type: "success" });
    },
  });
  return (
    <Panel title={t("email.title")}>
      <Rows label={t("email.title")}>
        <Row
          title={<bdi>{showEmail(email)}</bdi>}
          badges={
            emailVerified ? (
              <Badge tone="success">{t("email.verified")}</Badge>
            ) : (
              <Badge tone="warning">{t("email.unverified")}</Badge>
            )
          }
        />
      </Rows>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {!emailVerified && (
          <Button isBusy={resend.isPending} onClick={() => resend.mutate()}>
            {t("email.resend")}
          </Button>
        )}
        {facts.changes.email && (
          <Button onClick={() => setIsChanging(true)}>{t("email.change")}</Button>
        )}
      </div>
      {resend.error && <FormError error={resend.error} />}
      {isVerifying && <VerifyEmail email={email} onClose={() => setIsVerifying(false)} />}
      {isChanging && facts.changes.email !== "link" && (
        <ChangeEmailByCode
          email={email}
          isVerified={emailVerified}
          onClose={() => setIsChanging(false)}
        />
      )}
      {isChanging && facts.changes.email === "link" && (
        <ChangeEmail
          isVerified={emailVerified}
          onCode={() => setIsVerifying(true)}
          onClose={() => setIsChanging(false)}
        />
      )}
    </Panel>
  );
};

/** The name, picture, username and email of the user. */
export const ProfileScreen = () => {
  const t = useTranslation("profile");
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const { user } = session;
  return (
    <Screen title={t("you.title")} lead={t("signedInAs", { email: showEmail(user.email) })}>
      <ProfileForm user={user} />
      <Email user={user} />
    </Screen>
  );
};
