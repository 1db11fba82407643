import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { discardDraft } from "../../components/kept/use-draft.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { BanForm } from "../../components/users/ban-form.tsx";
import type { UserDialogProps } from "./confirmations.tsx";

const draftOf = ({ id }: UserDialogProps["user"]): string => `ban-user.${id}`;

/** Bans a user temporarily or permanently. */
export const BanUser = ({ user, onClose }: UserDialogProps) => {
  const close = () => {
    discardDraft(draftOf(user));
    onClose();
  };
  const ban = useOperation(operations.identity.adminBanUser, {
    showsError: true,
    done: `${user.email} banned and signed out everywhere.`,
    onDone: close,
  });
  return (
    <Dialog
      title="Ban user"
      description={
        <>
          <bdi className="break-words">{user.email}</bdi> is signed out everywhere and cannot sign
          in until the ban ends or you unban them.
        </>
      }
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
    >
      <BanForm
        action="Ban user"
        isBusy={ban.isPending}
        error={ban.error}
        onSubmit={(terms) => ban.mutate({ body: { userId: user.id, ...terms } })}
        onCancel={close}
        draft={draftOf(user)}
      />
    </Dialog>
  );
};
