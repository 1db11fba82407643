import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useAccess } from "../../access/use-access.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { entryKey } from "../../components/audit/entry-key.ts";
import { Unread } from "../../components/errors/error-state.tsx";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { TextAreaField } from "@latchkey/ui/components/fields.tsx";
import { sentenceText } from "../../components/audit/audit-words.ts";
import type { UserDialogProps } from "./confirmations.tsx";
import { readUserEntries } from "./read-user-entries.ts";
import type { User } from "./use-user.ts";
import type { UserAction } from "../../components/users/user-actions.ts";
import type { UserTab } from "./user-search.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { adminSecureUser } = operations.identity;
const route = getRouteApi("/shell/users/$userId");

type Secured = CallReply<typeof adminSecureUser>;

const shownMax = 50;
const dayMilliseconds = 86_400_000;

/** Sign-ins and their ends are no changes of the account. */
const isChange = (action: string): boolean =>
  !action.startsWith("session.") && action !== "sign-in.refused";

/** Reads the changes of a user in the last seven days, newest first. */
const readChanges = async (userId: string, signal: AbortSignal) => {
  const from = new Date(Date.now() - 7 * dayMilliseconds).toISOString().slice(0, 10);
  const changes = [];
  for await (const entry of readUserEntries({ userId, from, limit: shownMax, signal })) {
    if (isChange(entry.action)) changes.push(entry);
    if (changes.length === shownMax) break;
  }
  return changes;
};

const RecentChanges = ({ user }: { user: User }) => {
  const { id: userId } = user;
  const reading = useQuery({
    queryKey: ["operation", "recent-changes", userId],
    queryFn: ({ signal }) => readChanges(userId, signal),
  });
  const { data } = reading;
  return (
    <section aria-label={t("secure.changesOfWeek")}>
      <h3 className="mb-2 font-semibold">{t("secure.changesOfWeek")}</h3>
      {!data && <Unread reading={reading} className="h-16 w-full" />}
      {data?.length === 0 && <p className="text-muted">{t("secure.noChanges")}</p>}
      {data && data.length > 0 && (
        <ul
          aria-label={t("secure.changes")}
          tabIndex={0}
          className="max-h-48 overflow-y-auto rounded-md border px-3 py-2"
        >
          {data.map((entry) => (
            <li key={entryKey(entry)} className="flex items-baseline justify-between gap-3 py-0.5">
              <span className="min-w-0 break-words">
                <bdi>{sentenceText(entry, user)}</bdi>
                {entry.address && (
                  <span className="text-muted">
                    {" "}
                    {t("secure.fromAddress", { address: entry.address })}
                  </span>
                )}
              </span>
              <span className="text-muted">
                <RelativeTime at={entry.occurredAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const Outcome = ({ user, secured }: { user: User; secured: Secured }) => (
  <Notice tone="success">
    <p className="font-medium">{t("secure.done.title")}</p>
    <ul className="list-disc ps-5">
      <li>{t("secure.done.sessions", { count: secured.sessionCount })}</li>
      <li>{t("secure.done.keys")}</li>
      {secured.passwordEnded && <li>{t("secure.done.password")}</li>}
      {secured.passwordEnded && (
        <li>
          {secured.resetMailed
            ? richText("secure.done.mailed", { email: <bdi>{showEmail(user.email)}</bdi> })
            : t("secure.done.noMail")}
        </li>
      )}
    </ul>
  </Notice>
);

/** Leads to everything that an attacker may have added. Nothing is removed without the admin. */
const NextSteps = ({ user }: { user: User }) => {
  const { may } = useAccess();
  const navigate = route.useNavigate();
  const open = (search: { tab?: UserTab; do?: UserAction }) =>
    void navigate({ to: ".", search, replace: true });
  return (
    <div className="flex flex-wrap gap-2">
      {user.twoFactorEnabled === true && may("user:reset-two-factor") && (
        <Button onClick={() => open({ do: "reset-second-factor" })}>
          {t("secure.next.secondFactor")}
        </Button>
      )}
      <Button onClick={() => open({ tab: "security" })}>{t("secure.next.methods")}</Button>
      {may("apiKey:list") && (
        <Button onClick={() => open({ tab: "access" })}>{t("secure.next.keys")}</Button>
      )}
    </div>
  );
};

const noReason = { reason: "" };
const draftOf = ({ id }: User): string => `secure-user.${id}`;

interface SecureFormProps extends UserDialogProps {
  onSecured: (reply: Secured) => void;
}

const SecureForm = ({ user, onClose, onSecured }: SecureFormProps) => {
  const secure = useOperation(adminSecureUser, {
    showsError: true,
    onDone: (reply) => {
      discardDraft(draftOf(user));
      onSecured(reply);
    },
  });
  const form = useForm({
    defaultValues: noReason,
    change: secure,
    onSubmit: ({ reason }) =>
      secure.mutate({
        body: { userId: user.id, ...(reason.trim() && { reason: reason.trim() }) },
      }),
  });
  useDraft({ form, name: draftOf(user), defaults: noReason });
  return (
    <DialogForm form={form} action={t("secure.action")} isDangerous onClose={onClose}>
      <TextAreaField
        {...form.field("reason")}
        label={t("common.reason")}
        hint={t("secure.reasonHint")}
        dir="auto"
        maxLength={1024}
        autoFocus
      />
    </DialogForm>
  );
};

/** Secures a compromised account in one step, and shows what an attacker may have changed. */
export const SecureUser = (props: UserDialogProps) => {
  const { user } = props;
  const { may } = useAccess();
  const close = () => {
    discardDraft(draftOf(user));
    props.onClose();
  };
  const [secured, setSecured] = useState<Secured>();
  return (
    <Dialog
      title={t("secure.title")}
      description={
        !secured &&
        richText("secure.text", {
          email: <bdi className="break-words">{showEmail(user.email)}</bdi>,
        })
      }
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
    >
      <div className="flex flex-col gap-4">
        {secured && <Outcome user={user} secured={secured} />}
        {may("audit:list") && <RecentChanges user={user} />}
        {secured ? (
          <NextSteps user={user} />
        ) : (
          <SecureForm user={user} onClose={close} onSecured={setSecured} />
        )}
      </div>
    </Dialog>
  );
};
