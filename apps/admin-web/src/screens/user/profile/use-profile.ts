import { useState } from "react";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { faultsOf } from "../../../api/faults-of.ts";
import { toastError } from "../../../api/toast-error.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { discardDraft, useDraftState } from "../../../components/kept/use-draft.ts";
import type { VerificationChoice } from "../../../components/users/verification-choice.ts";
import type { User } from "../use-user.ts";
import { type EditableField } from "../../../components/users/field-text.ts";
import {
  changedNames,
  fieldKey,
  type ProfileValues,
  readProfile,
  valuesOf,
} from "./profile-values.ts";

const { adminSendVerification, adminUpdateUser } = operations.identity;

const aboutFields = {
  INVALID_EMAIL: "email",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "email",
  USERNAME_IS_TOO_SHORT: "username",
  USERNAME_IS_TOO_LONG: "username",
  USERNAME_IS_INVALID: "username",
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: "username",
} as const;

/**
 * The state of the form. It begins with the user as they were when editing began, so that changes by others neither overwrite the admin's
 * input nor are reverted by saving it.
 */
export const useProfile = (user: User, fields: readonly EditableField[]) => {
  const [saved, setSaved] = useState(() => valuesOf(user, fields));
  const draft = `user.${user.id}`;
  const [values, setValues] = useDraftState<ProfileValues>(draft, saved);
  const [verification, setVerification] = useState<VerificationChoice>("none");
  const [isTried, setIsTried] = useState(false);
  const update = useOperation(adminUpdateUser, {
    showsError: true,
    done: "Profile saved.",
    onDone: async (changed) => {
      // The new email is saved, whether the mail can be sent or not.
      if (verification === "mail")
        await call(adminSendVerification, { params: { id: user.id } }).catch(toastError);
      setSaved(valuesOf(changed, fields));
      setValues(valuesOf(changed, fields));
      setVerification("none");
      setIsTried(false);
    },
  });
  const changed = changedNames(values, saved);
  const { data, faults } = readProfile(values, saved, fields);
  const names = ["name", "email", "image", "username", ...fields.map(({ name }) => name)];
  const refused = faultsOf<string>(update.error, names, aboutFields);
  const isNewEmail = changed.includes("email");
  const save = () => {
    setIsTried(true);
    if (changed.length === 0 || Object.keys(faults).length > 0) return;
    const verified = isNewEmail && verification === "verified" && { emailVerified: true };
    update.mutate({ body: { userId: user.id, data: { ...data, ...verified } } });
  };
  const reset = () => {
    setValues(saved);
    setVerification("none");
    setIsTried(false);
    update.reset();
  };
  return {
    values,
    saved,
    changed,
    isNewEmail,
    verification,
    setVerification,
    update,
    save,
    reset,
    discard: () => discardDraft(draft),
    hasOtherError: update.error !== null && Object.keys(refused).length === 0,
    set: (name: string, text: string) => setValues((was) => ({ ...was, [name]: text })),
    faultOf: (name: string) => (isTried ? faults[name] : undefined) ?? refused[name],
    faultOfField: (field: EditableField) =>
      (isTried ? faults[fieldKey(field)] : undefined) ?? refused[field.name],
  };
};

export type Profile = ReturnType<typeof useProfile>;
