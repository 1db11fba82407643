import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { accessQuery } from "../../access/access-query.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { BackupCodes } from "../../components/second-factor/backup-codes.tsx";
import { EnterCode } from "../../components/second-factor/code-form.tsx";
import { PasswordStep } from "../../components/second-factor/password-step.tsx";
import { SetUpApp } from "../../components/second-factor/set-up-app.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { toasts } from "@latchkey/ui/components/toasts.ts";

const { disableTwoFactor, generateBackupCodes } = operations.identity;

interface ContentProps {
  onClose: () => void;
}

/** Returns a function that reads the state of the second factor again, for this screen and the shell's warning. */
const useReread = () => {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ["operation"] });
    await client.invalidateQueries({ queryKey: accessQuery.queryKey });
  };
};

const Enable = ({ onClose }: ContentProps) => {
  const reread = useReread();
  const finish = async () => {
    await reread();
    onClose();
  };
  return <SetUpApp asksPassword onDone={finish} onRestart={onClose} onCancel={onClose} />;
};

/** Turns codes by email on. The first code proves that they arrive, so nobody locks themself out. */
const EnableMail = ({ onClose }: ContentProps) => {
  const reread = useReread();
  const finish = async () => {
    toasts.add({ title: "Email codes are on. Create backup codes, too.", type: "success" });
    await reread();
    onClose();
  };
  return (
    <EnterCode
      kind="mail"
      isProof={false}
      action="Turn on"
      onPassed={finish}
      onRestart={onClose}
      onCancel={onClose}
    />
  );
};

const Disable = ({ onClose }: ContentProps) => {
  const reread = useReread();
  const change = useOperation(disableTwoFactor, {
    showsError: true,
    done: "Second factor turned off.",
    onDone: async () => {
      await reread();
      onClose();
    },
  });
  return (
    <PasswordStep
      asksPassword
      action="Turn off"
      isDangerous
      error={change.error}
      isBusy={change.isPending}
      onSubmit={(password) => change.mutate({ body: { password } })}
      onCancel={onClose}
    />
  );
};

const NewCodes = ({ onClose }: ContentProps) => {
  const [codes, setCodes] = useState<readonly string[]>();
  const change = useOperation(generateBackupCodes, {
    showsError: true,
    onDone: ({ backupCodes }) => setCodes(backupCodes),
  });
  if (codes) return <BackupCodes codes={codes} onKept={onClose} />;
  return (
    <PasswordStep
      asksPassword
      action="Replace codes"
      error={change.error}
      isBusy={change.isPending}
      onSubmit={(password) => change.mutate({ body: { password } })}
      onCancel={onClose}
    />
  );
};

const actions = {
  enable: {
    title: "Set up an authenticator app",
    description: "Your other sessions may end.",
    Content: Enable,
  },
  mail: {
    title: "Turn on email codes",
    description: "Your other sessions may end.",
    Content: EnableMail,
  },
  disable: {
    title: "Turn off second factor?",
    description: "Your authenticator app, backup codes, and trusted browsers stop working.",
    Content: Disable,
  },
  codes: {
    title: "New backup codes",
    description: "Your current backup codes stop working.",
    Content: NewCodes,
  },
} as const;

export type AccountAction = keyof typeof actions;

/** Changes the admin's own second factor. */
export const AccountDialog = ({ action, onClose }: ContentProps & { action: AccountAction }) => {
  const { title, description, Content } = actions[action];
  return (
    <Dialog
      title={title}
      description={description}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Content onClose={onClose} />
    </Dialog>
  );
};
