import { useAccess } from "../../../access/use-access.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useOption } from "../../../components/use-option.ts";
import { verificationChoices } from "../../../components/users/verification-choice.ts";
import type { Profile } from "./use-profile.ts";

/** Says what a change of email means, and asks how the new one is verified. */
export const EmailChange = ({ profile }: { profile: Profile }) => {
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
        Links sent to the old email stop working, and devices are no longer trusted. Sessions stay
        active. The user is not notified.{" "}
        {verification !== "verified" &&
          (isRequired === true
            ? "The user cannot sign in again until the new email is verified."
            : "The new email is unverified. Anyone with access to its mailbox can claim the account.")}
      </Notice>
      <Field label="Verification of the new email">
        <Select choices={choices} value={verification} onChange={setVerification} />
      </Field>
    </>
  );
};
