import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { FormError } from "../errors/form-error.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { BackupCodes } from "./backup-codes.tsx";
import { PasswordStep } from "./password-step.tsx";
import { QrCode } from "@latchkey/ui/components/qr-code.tsx";
import { restartReason } from "./restart-reason.ts";

const { enableTwoFactor, verifyTotp } = operations.identity;

interface Prepared {
  uri: string;
  backupCodes: string[];
}

const prepare = async (password: string | undefined): Promise<Prepared> => {
  const { totpURI = "", backupCodes = [] } = await call(enableTwoFactor, {
    body: { password, method: "totp" },
  });
  return { uri: totpURI, backupCodes };
};

interface ConfirmAppProps {
  uri: string;
  onConfirmed: () => void;
  onRestart: (reason: string) => void;
  onCancel: () => void;
}

/** Shows a prepared app's secret, and turns the app on by its first code. */
const ConfirmApp = ({ uri, onConfirmed, onRestart, onCancel }: ConfirmAppProps) => {
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const verify = useChange({
    meta: { access: "anyone" },
    mutationFn: (body: { code: string }) => call(verifyTotp, { body }),
    onSuccess: onConfirmed,
    onError: (error) => {
      const reason = restartReason(error, "app");
      if (reason !== undefined) onRestart(reason);
    },
  });
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(
      z.object({ code: z.string().trim().min(1, "Enter the code from your authenticator app.") }),
    ),
    defaultValues: { code: "" },
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void handleSubmit((given) => verify.mutate(given))(event)}
    >
      <p>Scan the QR code with your authenticator app, or enter the key.</p>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <p className="flex items-center justify-center gap-1">
        <span className="sr-only">Key: </span>
        <code className="font-mono text-xs break-all">
          {secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
        </code>
        <CopyId id={secret} label="Copy key" hidesId />
      </p>
      <Field label="Authenticator code" error={formState.errors.code?.message}>
        <Input
          {...register("code")}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus
        />
      </Field>
      {verify.error && <FormError error={verify.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={verify.isPending}>
          Turn on
        </Button>
      </div>
    </form>
  );
};

interface SetUpAppProps {
  /** Asks for the password first. A sign-in that waits for its second factor has just proven it. */
  asksPassword?: boolean | undefined;
  onDone: () => void | Promise<void>;
  /** The sign-in has ended and must begin again. */
  onRestart: (reason: string) => void;
  onCancel: () => void;
}

/** Sets up an authenticator app: shows its secret, verifies its first code, and shows the backup codes once. */
export const SetUpApp = ({ asksPassword = false, onDone, onRestart, onCancel }: SetUpAppProps) => {
  const [prepared, setPrepared] = useState<Prepared>();
  const [isConfirmed, setIsConfirmed] = useState(false);
  const begin = useChange({
    meta: { access: "anyone" },
    mutationFn: prepare,
    onSuccess: setPrepared,
    onError: (error) => {
      const reason = restartReason(error, "app");
      if (reason !== undefined) onRestart(reason);
    },
  });
  const leave = useChange({ meta: { access: "anyone" }, mutationFn: async () => onDone() });
  if (prepared && isConfirmed)
    return (
      <>
        <BackupCodes
          codes={prepared.backupCodes}
          isBusy={leave.isPending}
          onKept={() => leave.mutate()}
        />
        {leave.error && <FormError error={leave.error} />}
      </>
    );
  if (prepared)
    return (
      <ConfirmApp
        uri={prepared.uri}
        onConfirmed={() => setIsConfirmed(true)}
        onRestart={onRestart}
        onCancel={onCancel}
      />
    );
  return (
    <PasswordStep
      asksPassword={asksPassword}
      action="Set up an app"
      error={begin.error}
      isBusy={begin.isPending}
      onSubmit={begin.mutate}
      onCancel={onCancel}
    />
  );
};
