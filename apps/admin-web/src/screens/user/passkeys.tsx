import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Unread } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { passkeyName } from "../../components/passkeys/passkey-name.ts";
import { type Passkey, PasskeyTable } from "../../components/passkeys/passkey-table.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import type { UserDetail } from "./use-user.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { adminListUserPasskeys, adminRemoveUserPasskey } = operations.identity;

const route = getRouteApi("/shell/users/$userId");

interface RemovePasskeyProps {
  detail: UserDetail;
  passkey: Passkey;
  onClose: () => void;
}

/** Removes a passkey. After the last sign-in method it offers to mail a password reset. */
const RemovePasskey = ({ detail, passkey, onClose }: RemovePasskeyProps) => {
  const { user, accounts, passkeyCount } = detail;
  const { may } = useAccess();
  const navigate = route.useNavigate();
  const isLast = accounts.length === 0 && passkeyCount === 1;
  const offersReset = isLast && may("user:update");
  const finish = async () => {
    onClose();
    if (offersReset) await navigate({ to: ".", search: (was) => ({ ...was, do: "reset" }) });
  };
  return (
    <Confirm
      operation={adminRemoveUserPasskey}
      input={{ body: { userId: user.id, id: passkey.id } }}
      title={t("passkeys.remove.title")}
      action={t("passkeys.remove.action")}
      done={t("passkeys.remove.done", {
        passkey: passkeyName(passkey),
        email: showEmail(user.email),
      })}
      onClose={onClose}
      onDone={finish}
    >
      {richText("passkeys.remove.text", {
        passkey: <bdi>{passkeyName(passkey)}</bdi>,
        email: <bdi>{showEmail(user.email)}</bdi>,
      })}
      {isLast && ` ${t("passkeys.remove.isLast")}`}
    </Confirm>
  );
};

const List = ({ detail, passkeys }: { detail: UserDetail; passkeys: readonly Passkey[] }) => {
  const [removed, setRemoved] = useState<Passkey>();
  return (
    <div className="rounded-lg border bg-surface">
      <PasskeyTable
        passkeys={passkeys}
        actions={[{ label: t("passkeys.remove.button"), onChoose: setRemoved }]}
      />
      {removed && (
        <RemovePasskey detail={detail} passkey={removed} onClose={() => setRemoved(undefined)} />
      )}
    </div>
  );
};

/** Lists a user's passkeys, which an admin may remove. */
export const Passkeys = ({ detail }: { detail: UserDetail }) => {
  const reading = useQuery({
    ...operationQuery(adminListUserPasskeys, { query: { userId: detail.user.id } }),
    select: ({ passkeys }) => passkeys,
  });
  const { data } = reading;
  if (!data) return <Unread reading={reading} className="h-32 w-full" />;
  if (data.length === 0)
    return <EmptyState title={t("passkeys.none")}>{t("passkeys.noneText")}</EmptyState>;
  return (
    <div className="flex flex-col gap-4">
      <StaleNotice reading={reading} />
      <List detail={detail} passkeys={data} />
    </div>
  );
};
