import { getRouteApi, useBlocker } from "@tanstack/react-router";
import { useAccess } from "../../../access/use-access.ts";
import { AlertDialog } from "@latchkey/ui/components/alert-dialog.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useOption, useOptionReading } from "../../../components/use-option.ts";
import type { User } from "../use-user.ts";
import { FieldControl } from "../../../components/fields/field-control.tsx";
import { type EditableField, editableFields } from "../../../components/fields/field-text.ts";
import { verificationChoices } from "../../../components/users/verification-choice.ts";
import { fieldKey } from "./profile-values.ts";
import { type Profile as ProfileState, useProfile } from "./use-profile.ts";
import { t } from "../../../texts.ts";

const route = getRouteApi("/shell/users/$userId");

interface MemberFieldProps {
  profile: ProfileState;
  name: "name" | "email" | "image" | "phoneNumber" | "username";
  label: string;
  hint?: string | undefined;
  readOnly?: boolean;
}

const MemberField = ({ profile, name, ...props }: MemberFieldProps) => (
  <TextField
    {...profile.form.field(name)}
    {...props}
    autoComplete="off"
    spellCheck={false}
    dir="auto"
  />
);

const labels: Partial<Record<string, string>> = {
  name: t("common.name"),
  email: t("common.email"),
  image: t("profile.image"),
  username: t("common.username"),
  phoneNumber: t("common.phoneNumber"),
};

/** Lists the changed members with their old and new values. */
const Changes = ({ profile }: { profile: ProfileState }) => {
  const { form, changed, saved } = profile;
  const values = form.watch();
  if (changed.length === 0) return null;
  return (
    <ul aria-label={t("profile.changes")} className="flex flex-col gap-1 text-muted">
      {changed.map((name) => (
        <li key={name} className="min-w-0 break-words">
          <span className="font-medium text-ink">
            {labels[name] ?? name.replace(/^field:/, "")}
          </span>
          : <bdi>{saved[name] || t("profile.empty")}</bdi> →{" "}
          <bdi>{values[name] || t("profile.empty")}</bdi>
        </li>
      ))}
    </ul>
  );
};

/** Says what a change of email means, and asks how the new one is verified. */
const EmailChange = ({ profile }: { profile: ProfileState }) => {
  const { may } = useAccess();
  const { verification, setVerification } = profile;
  const isRequired = useOption("emailAndPassword.requireEmailVerification");
  const sendsMails = useOption("emailVerification.enabled") !== false;
  const choices = verificationChoices({
    mayVerify: may("user:set-email"),
    maySendMail: sendsMails && may("user:update"),
  });
  return (
    <>
      <Notice tone="warning">
        {t("profile.emailChange")}{" "}
        {verification !== "verified" &&
          (isRequired === true ? t("profile.signInWaits") : t("profile.newEmailOpen"))}
      </Notice>
      <Field label={t("profile.verification")}>
        <Select choices={choices} value={verification} onChange={setVerification} />
      </Field>
    </>
  );
};

interface LeaveQuestionProps {
  isDirty: boolean;
  onDiscard: () => void;
}

/** Asks before the admin leaves the form with unsaved changes. */
const LeaveQuestion = ({ isDirty, onDiscard }: LeaveQuestionProps) => {
  const blocker = useBlocker({
    // A dialog keeps the form.
    shouldBlockFn: ({ current, next }) => {
      const isSamePage = next.pathname === current.pathname;
      if (isSamePage && (next.search as { edit?: string }).edit === "profile") return false;
      return isDirty;
    },
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <AlertDialog
      title={t("profile.discard.title")}
      action={t("profile.discard.action")}
      isOpen={blocker.status === "blocked"}
      onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
      onConfirm={() => {
        onDiscard();
        blocker.proceed?.();
      }}
    >
      {t("profile.discard.text")}
    </AlertDialog>
  );
};

/** The phone number, while phone numbers are on. It needs the permission to change emails. */
const PhoneField = ({ profile, mayChange }: { profile: ProfileState; mayChange: boolean }) =>
  profile.saved["phoneNumber"] !== undefined && (
    <MemberField
      profile={profile}
      name="phoneNumber"
      label={t("common.phoneNumber")}
      readOnly={!mayChange}
      hint={mayChange ? t("profile.phoneHint") : t("profile.phoneFixed")}
    />
  );

const ProfileForm = ({ user, fields }: { user: User; fields: readonly EditableField[] }) => {
  const { may } = useAccess();
  const profile = useProfile(user, fields);
  const { form, changed, reset } = profile;
  const isDirty = changed.length > 0;
  const mayEmail = may("user:set-email");
  return (
    <Form
      form={form}
      className="flex max-w-xl flex-col gap-4"
      foot={
        <>
          <div className="flex gap-2">
            <Button type="submit" kind="primary" disabled={!isDirty} isBusy={form.isPending}>
              {t("common.save")}
            </Button>
            {isDirty && <Button onClick={reset}>{t("profile.reset")}</Button>}
            <route.Link to="." search={{}} className={buttonStyle("quiet")}>
              {t("ui.close")}
            </route.Link>
          </div>
          <LeaveQuestion isDirty={isDirty} onDiscard={profile.discard} />
        </>
      }
    >
      <MemberField profile={profile} name="name" label={t("common.name")} />
      <MemberField
        profile={profile}
        name="email"
        label={t("common.email")}
        readOnly={!mayEmail}
        hint={mayEmail ? undefined : t("profile.emailFixed")}
      />
      {profile.isNewEmail && <EmailChange profile={profile} />}
      {profile.saved["username"] !== undefined && (
        <MemberField profile={profile} name="username" label={t("common.username")} />
      )}
      <PhoneField profile={profile} mayChange={mayEmail} />
      <MemberField
        profile={profile}
        name="image"
        label={t("profile.image")}
        hint={t("profile.imageHint")}
      />
      {fields.map((field) => {
        const { value, onChange } = form.choice(fieldKey(field));
        return (
          <FieldControl
            key={field.name}
            field={field}
            text={value}
            onChange={onChange}
            error={form.errorOf(fieldKey(field))}
          />
        );
      })}
      <Changes profile={profile} />
    </Form>
  );
};

/** Edits a user's name, email, username, phone number, image and additional fields. */
export const Profile = ({ user }: { user: User }) => {
  // The form begins with all fields, so it waits for their names.
  const { value, isPending } = useOptionReading("user.additionalFields");
  return (
    <Card title={t("profile.title")}>
      {isPending ? (
        <Skeleton className="h-80 w-full" />
      ) : (
        <ProfileForm key={user.id} user={user} fields={editableFields(value)} />
      )}
    </Card>
  );
};
