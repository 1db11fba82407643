import { useState } from "react";
import { FormError } from "../errors/form-error.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";

interface PasswordStepProps {
  asksPassword: boolean;
  /** The advice for users without a password. */
  passwordHint?: string | undefined;
  action: string;
  isDangerous?: boolean | undefined;
  error: unknown;
  isBusy: boolean;
  /** The password is undefined if the user has none. */
  onSubmit: (password: string | undefined) => void;
  onCancel: () => void;
}

/** Asks for the password of the signed-in user before a change of their second factor. */
export const PasswordStep = (props: PasswordStepProps) => {
  const { asksPassword, passwordHint = "Leave blank if you have none." } = props;
  const { action, isDangerous, error, isBusy, onSubmit, onCancel } = props;
  const [password, setPassword] = useState("");
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(password || undefined);
      }}
    >
      {asksPassword && (
        <Field label="Your password" description={passwordHint}>
          <Input
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoFocus
          />
        </Field>
      )}
      {error !== null && error !== undefined && <FormError error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind={isDangerous ? "danger" : "primary"} isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
};
