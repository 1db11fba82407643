import { type Dispatch, useState } from "react";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { type FormOf, useForm } from "@latchkey/ui/form/use-form.ts";
import { toastError } from "../../../api/explain.ts";
import { discardDraft, useDraft } from "../../../components/kept/use-draft.ts";
import type { EditableField } from "../../../components/fields/field-text.ts";
import type { VerificationChoice } from "../../../components/users/verification-choice.ts";
import type { User } from "../use-user.ts";
import {
  changedNames,
  fieldKey,
  type ProfileValues,
  readProfile,
  valuesOf,
} from "./profile-values.ts";
import { t } from "../../../texts.ts";

const { adminSendVerification, adminUpdateUser } = operations.identity;

/** The changed members of a user, as the operation takes them. */
type ChangedMembers = Record<string, unknown>;

export interface Profile {
  form: FormOf<ProfileValues, ChangedMembers>;
  saved: ProfileValues;
  changed: readonly string[];
  isNewEmail: boolean;
  verification: VerificationChoice;
  setVerification: Dispatch<VerificationChoice>;
  reset: () => void;
  discard: () => void;
}

/**
 * The state of the form. It begins with the user as they were when editing began, so that changes by others neither overwrite the admin's
 * input nor are reverted by saving it.
 */
export const useProfile = (user: User, fields: readonly EditableField[]): Profile => {
  const [saved, setSaved] = useState(() => valuesOf(user, fields));
  const draft = `user.${user.id}`;
  const [verification, setVerification] = useState<VerificationChoice>("none");
  const update = useOperation(adminUpdateUser, {
    showsError: true,
    done: t("profile.saved"),
    onDone: async (row) => {
      // The new email is saved, whether the mail can be sent or not.
      if (verification === "mail")
        await call(adminSendVerification, { params: { id: user.id } }).catch(toastError);
      setSaved(valuesOf(row, fields));
      form.reset(valuesOf(row, fields));
      setVerification("none");
    },
  });
  const form: FormOf<ProfileValues, ChangedMembers> = useForm<ProfileValues, ChangedMembers>({
    defaultValues: saved,
    resolver: (values) => {
      const { data, faults } = readProfile(values, saved, fields);
      const errors = Object.entries(faults).map(([name, message]) => [
        name,
        { type: "validate", message },
      ]);
      return errors.length > 0
        ? { values: {}, errors: Object.fromEntries(errors) }
        : { values: data, errors: {} };
    },
    change: update,
    fieldOf: Object.fromEntries(fields.map((field) => [field.name, fieldKey(field)])),
    onSubmit: (data) => {
      if (changed.length === 0) return;
      const verified = isNewEmail && verification === "verified" && { emailVerified: true };
      update.mutate({ body: { userId: user.id, data: { ...data, ...verified } } });
    },
  });
  useDraft({ form, name: draft, defaults: saved });
  const changed = changedNames(form.watch(), saved);
  const isNewEmail = changed.includes("email");
  return {
    form,
    saved,
    changed,
    isNewEmail,
    verification,
    setVerification,
    reset: () => {
      form.reset(saved);
      setVerification("none");
      update.reset();
    },
    discard: () => discardDraft(draft),
  };
};
