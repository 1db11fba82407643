import { Dices } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { makePassword } from "./make-password.ts";

interface PasswordFieldProps {
  label: string;
  value: string;
  onMake: (password: string) => void;
  error: string | undefined;
  /** The form's registration of the input. */
  control: ComponentProps<typeof Input>;
}

/** A password that an admin sets for a user. It is visible and can be generated and copied, because the admin has to pass it on. */
export const PasswordField = ({ label, value, onMake, error, control }: PasswordFieldProps) => (
  <div className="flex items-end gap-2">
    <Field
      label={label}
      description="Pass it on to the user. It is not shown again."
      error={error}
      className="min-w-0 flex-1"
    >
      <Input
        {...control}
        type="text"
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-xs"
      />
    </Field>
    <div className="flex items-center gap-1 self-start pt-6">
      <Button onClick={() => onMake(makePassword())}>
        <Dices />
        Generate
      </Button>
      {value !== "" && <CopyId id={value} label="Copy password" hidesId />}
    </div>
  </div>
);
