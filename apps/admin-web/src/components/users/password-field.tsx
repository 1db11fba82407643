import { Dices } from "lucide-react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import type { FieldProps } from "@latchkey/ui/form/use-form.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { t } from "../../texts.ts";

/** Letters and digits that cannot be confused with each other. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
const length = 20;

/** Returns a random password of 116 bits. */
const makePassword = (): string => {
  let made = "";
  while (made.length < length) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // 228 is the largest multiple of 57, the alphabet's length, below 256. Rejecting larger bytes keeps all characters equally likely.
    if (byte < 228) made += alphabet[byte % alphabet.length];
  }
  return made;
};

interface PasswordFieldProps {
  label: string;
  value: string;
  onMake: (password: string) => void;
  field: FieldProps;
}

/** A password that an admin sets for a user. It is visible and can be generated and copied, because the admin has to pass it on. */
export const PasswordField = ({ label, value, onMake, field }: PasswordFieldProps) => (
  <div className="flex items-end gap-2">
    <TextField
      {...field}
      label={label}
      hint={t("users.password.hint")}
      className="min-w-0 flex-1"
      autoComplete="off"
      spellCheck={false}
      isCode
    />
    <div className="flex items-center gap-1 self-start pt-6">
      <Button onClick={() => onMake(makePassword())}>
        <Dices />
        {t("users.password.generate")}
      </Button>
      {value !== "" && <CopyId id={value} label={t("users.password.copy")} hidesId />}
    </div>
  </div>
);
