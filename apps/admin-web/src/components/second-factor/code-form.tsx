import { zodResolver } from "@hookform/resolvers/zod";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { FormError } from "../errors/form-error.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Checkbox } from "@latchkey/ui/components/checkbox.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { type CodeKind, codeKinds, kindsOf } from "./code-kinds.ts";
import { restartReason } from "./restart-reason.ts";

interface CodeUse {
  /** Lets the user choose that this browser needs no code at later sign-ins. */
  offersTrust?: boolean | undefined;
  /** The verb of the button. */
  action: string;
  onPassed: () => void | Promise<void>;
  /** The sign-in has ended and must begin again. */
  onRestart: (reason: string) => void;
  onCancel: () => void;
}

interface EnterCodeProps extends CodeUse {
  kind: CodeKind;
  /** The code proves who the user is, so no other proof is asked for. */
  isProof: boolean;
}

/** Verifies codes of one kind, and mails them if they come by email. */
const useCodes = ({ kind, isProof, onPassed, onRestart }: EnterCodeProps) => {
  const [isSent, setIsSent] = useState(false);
  const onError = (error: unknown) => {
    const reason = restartReason(error, kind);
    if (reason !== undefined) onRestart(reason);
  };
  const verify = useChange({
    isProof,
    meta: { access: "anyone" },
    mutationFn: async (body: { code: string; trustDevice: boolean }) => {
      await call(codeKinds[kind].operation, { body });
      await onPassed();
    },
    onError,
  });
  const send = useChange({
    isProof,
    meta: { access: "anyone" },
    mutationFn: () => call(operations.identity.sendTwoFactorCode, { body: {} }),
    onMutate: () => verify.reset(),
    onSuccess: () => setIsSent(true),
    onError,
  });
  return { verify, send, isMissing: kind === "mail" && !isSent };
};

interface TrustChoiceProps {
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

const TrustChoice = ({ isChosen, onChange }: TrustChoiceProps) => {
  const id = useId();
  return (
    <label htmlFor={id} className="flex items-center gap-2">
      <Checkbox id={id} checked={isChosen} onCheckedChange={onChange} />
      <span>Trust this browser</span>
    </label>
  );
};

/** The form for codes of one kind. A code by email is mailed on request. */
export const EnterCode = (props: EnterCodeProps) => {
  const { kind, offersTrust = false, action, onCancel } = props;
  const { label, missing, isNumeric } = codeKinds[kind];
  const { verify, send, isMissing } = useCodes(props);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(z.object({ code: z.string().trim().min(1, missing) })),
    defaultValues: { code: "" },
  });
  const [trustDevice, setTrustDevice] = useState(false);
  const error = verify.error ?? send.error;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        if (!isMissing)
          return void handleSubmit(({ code }) => verify.mutate({ code, trustDevice }))(event);
        event.preventDefault();
        return send.mutate();
      }}
    >
      {isMissing ? (
        <p>We will email you a code. It works for a few minutes.</p>
      ) : (
        <Field label={label} error={formState.errors.code?.message}>
          <Input
            {...register("code")}
            inputMode={isNumeric ? "numeric" : "text"}
            autoComplete={isNumeric ? "one-time-code" : "off"}
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
        </Field>
      )}
      {offersTrust && !isMissing && (
        <TrustChoice isChosen={trustDevice} onChange={setTrustDevice} />
      )}
      {error && <FormError error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        {kind === "mail" && !isMissing && (
          <Button isBusy={send.isPending} onClick={() => send.mutate()}>
            Resend code
          </Button>
        )}
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          kind="primary"
          isBusy={verify.isPending || (isMissing && send.isPending)}
        >
          {isMissing ? "Send code" : action}
        </Button>
      </div>
    </form>
  );
};

interface CodeFormProps extends CodeUse {
  /** The second factors of the user. */
  methods: readonly ("totp" | "otp")[];
}

/** Asks for a code of the second factor, of the kind that the user chooses. */
export const CodeForm = ({ methods, ...use }: CodeFormProps) => {
  const kinds = kindsOf(methods);
  const [chosen, setChosen] = useState<CodeKind>();
  const kind = chosen ?? kinds[0] ?? "backup";
  return (
    <div className="flex flex-col gap-4">
      <EnterCode key={kind} kind={kind} isProof {...use} />
      <ul className="flex flex-col items-start gap-1">
        {kinds
          .filter((other) => other !== kind)
          .map((other) => (
            <li key={other}>
              <Button kind="quiet" size="small" onClick={() => setChosen(other)}>
                {codeKinds[other].use}
              </Button>
            </li>
          ))}
      </ul>
    </div>
  );
};
