import { useBlocker } from "@tanstack/react-router";
import { useAccess } from "../../../access/use-access.ts";
import { FormError } from "../../../components/errors/form-error.tsx";
import { AlertDialog } from "@latchkey/ui/components/alert-dialog.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useOptionReading } from "../../../components/use-option.ts";
import type { User } from "../use-user.ts";
import { EmailChange } from "./email-change.tsx";
import { FieldControl } from "./field-control.tsx";
import { type EditableField, editableFields } from "../../../components/users/field-text.ts";
import { fieldKey } from "./profile-values.ts";
import { type Profile as ProfileState, useProfile } from "./use-profile.ts";

interface TextFieldProps {
  profile: ProfileState;
  name: "name" | "email" | "image" | "username";
  label: string;
  description?: string | undefined;
  isReadOnly?: boolean;
}

const TextField = ({ profile, name, label, description, isReadOnly = false }: TextFieldProps) => (
  <Field label={label} description={description} error={profile.faultOf(name)}>
    <Input
      value={profile.values[name] ?? ""}
      onChange={({ target }) => profile.set(name, target.value)}
      readOnly={isReadOnly}
      autoComplete="off"
      spellCheck={false}
      dir="auto"
    />
  </Field>
);

const labels: Partial<Record<string, string>> = {
  name: "Name",
  email: "Email",
  image: "Image",
  username: "Username",
};

/** Lists the changed members with their old and new values. */
const Changes = ({ profile }: { profile: ProfileState }) => {
  const { changed, saved, values } = profile;
  if (changed.length === 0) return null;
  return (
    <ul aria-label="Unsaved changes" className="flex flex-col gap-1 text-muted">
      {changed.map((name) => (
        <li key={name} className="min-w-0 break-words">
          <span className="font-medium text-ink">
            {labels[name] ?? name.replace(/^field\./, "")}
          </span>
          : <bdi>{saved[name] || "empty"}</bdi> → <bdi>{values[name] || "empty"}</bdi>
        </li>
      ))}
    </ul>
  );
};

interface LeaveQuestionProps {
  isDirty: boolean;
  onDiscard: () => void;
}

/** Asks before the admin leaves the form with unsaved changes. */
const LeaveQuestion = ({ isDirty, onDiscard }: LeaveQuestionProps) => {
  const blocker = useBlocker({
    // A dialog on the same tab keeps the form.
    shouldBlockFn: ({ current, next }) => {
      const isSamePage = next.pathname === current.pathname;
      if (isSamePage && (next.search as { tab?: string }).tab === "profile") return false;
      // The draft is shown again after the sign-in.
      return isDirty && next.fullPath !== "/sign-in";
    },
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <AlertDialog
      title="Discard changes?"
      action="Discard changes"
      isOpen={blocker.status === "blocked"}
      onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
      onConfirm={() => {
        onDiscard();
        blocker.proceed?.();
      }}
    >
      The changes to this user are not saved.
    </AlertDialog>
  );
};

const ProfileForm = ({ user, fields }: { user: User; fields: readonly EditableField[] }) => {
  const { may } = useAccess();
  const profile = useProfile(user, fields);
  const { changed, update, save, reset } = profile;
  const isDirty = changed.length > 0;
  const mayEmail = may("user:set-email");
  return (
    <form
      noValidate
      className="flex max-w-xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField profile={profile} name="name" label="Name" />
      <TextField
        profile={profile}
        name="email"
        label="Email"
        isReadOnly={!mayEmail}
        description={mayEmail ? undefined : "You do not have permission to change emails."}
      />
      {profile.isNewEmail && <EmailChange profile={profile} />}
      {profile.values["username"] !== undefined && (
        <TextField profile={profile} name="username" label="Username" />
      )}
      <TextField profile={profile} name="image" label="Image" description="The URL of a picture." />
      {fields.map((field) => (
        <FieldControl
          key={field.name}
          field={field}
          text={profile.values[fieldKey(field)] ?? ""}
          onChange={(text) => profile.set(fieldKey(field), text)}
          error={profile.faultOfField(field)}
        />
      ))}
      <Changes profile={profile} />
      {profile.hasOtherError && <FormError error={update.error} />}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={!isDirty} isBusy={update.isPending}>
          Save
        </Button>
        {isDirty && <Button onClick={reset}>Reset</Button>}
      </div>
      <LeaveQuestion isDirty={isDirty} onDiscard={profile.discard} />
    </form>
  );
};

/** Edits a user's name, email, username, image and additional fields. */
export const Profile = ({ user }: { user: User }) => {
  // The form begins with all fields, so it waits for their names.
  const { value, isPending } = useOptionReading("user.additionalFields");
  return (
    <Card title="Profile">
      {isPending ? (
        <Skeleton className="h-80 w-full" />
      ) : (
        <ProfileForm key={user.id} user={user} fields={editableFields(value)} />
      )}
    </Card>
  );
};
