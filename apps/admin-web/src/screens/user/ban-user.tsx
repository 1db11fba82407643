import { operations } from "../../api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Dialog } from "../../components/ui/dialog.tsx";
import { BanForm } from "../../components/users/ban-form.tsx";
import type { UserDialogProps } from "./confirmations.tsx";

/** Bans a user temporarily or permanently. */
export const BanUser = ({ user, onClose }: UserDialogProps) => {
  const ban = useOperation(operations.identity.adminBanUser, {
    showsError: true,
    done: `${user.email} banned and signed out everywhere.`,
    onDone: onClose,
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
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <BanForm
        action="Ban user"
        isBusy={ban.isPending}
        error={ban.error}
        onSubmit={(terms) => ban.mutate({ body: { userId: user.id, ...terms } })}
        onCancel={onClose}
      />
    </Dialog>
  );
};
