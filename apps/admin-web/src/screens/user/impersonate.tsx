import { showEmail } from "@latchkey/contracts/email-address.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { expectImpersonation, impersonationQuery } from "../../access/impersonation.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { TextAreaField } from "@latchkey/ui/components/fields.tsx";
import { useQueryClient } from "@tanstack/react-query";
import type { UserDialogProps } from "./confirmations.tsx";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { adminCreateImpersonationLink } = operations.identity;

type Link = CallReply<typeof adminCreateImpersonationLink>;

const reasonForm = z.object({
  reason: z
    .string()
    .trim()
    .min(1, t("impersonate.enterReason"))
    .max(500, t("faults.tooLong", { max: 500 })),
});

const noReason = { reason: "" };
const draftOf = ({ id }: UserDialogProps["user"]): string => `impersonate.${id}`;

interface ReasonFormProps extends UserDialogProps {
  onLink: (link: Link) => void;
}

const ReasonForm = ({ user, onClose, onLink }: ReasonFormProps) => {
  const create = useOperation(adminCreateImpersonationLink, {
    showsError: true,
    onDone: (link) => {
      discardDraft(draftOf(user));
      onLink(link);
    },
  });
  const form = useForm({
    resolver: zodResolver(reasonForm),
    defaultValues: noReason,
    change: create,
    onSubmit: (given) => create.mutate({ body: { userId: user.id, ...given } }),
  });
  useDraft({ form, name: draftOf(user), defaults: noReason });
  return (
    <DialogForm form={form} action={t("impersonate.action")} onClose={onClose}>
      <TextAreaField
        {...form.field("reason")}
        label={t("common.reason")}
        hint={t("impersonate.reasonHint")}
        dir="auto"
        autoFocus
      />
    </DialogForm>
  );
};

/** Returns whether a time is over, and renders when it is. */
const useIsOver = (at: string): boolean => {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), Math.max(0, Date.parse(at) - Date.now()));
    return () => clearTimeout(timer);
  }, [at]);
  return isOver;
};

interface ReadyLinkProps extends UserDialogProps {
  link: Link;
  onAgain: () => void;
}

/** Returns a function that closes the dialog and watches for the impersonation, because another window has opened the link. */
const useFollowed = (onClose: () => void): (() => void) => {
  const client = useQueryClient();
  return () => {
    expectImpersonation();
    void client.invalidateQueries({ queryKey: impersonationQuery.queryKey });
    onClose();
  };
};

/** Opens a link in another window, which cannot reach this one. Returns false if the browser blocks it. */
const openElsewhere = (url: string): boolean => {
  const opened = window.open(url, "_blank");
  if (opened) opened.opener = null;
  return opened !== null;
};

/** Opens the link by a further click of the admin, because the browser has blocked a window so long after the first one. */
const ReadyLink = ({ user, link, onAgain, onClose }: ReadyLinkProps) => {
  const isOver = useIsOver(link.expiresAt);
  const follow = useFollowed(onClose);
  return (
    <div className="flex flex-col gap-4">
      <p role="status">{isOver ? t("impersonate.expired") : t("impersonate.ready")}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("ui.cancel")}</Button>
        {isOver ? (
          <Button kind="primary" onClick={onAgain}>
            {t("impersonate.again")}
          </Button>
        ) : (
          <a
            href={link.url}
            target="_blank"
            rel="noreferrer"
            className={buttonStyle("primary")}
            onClick={follow}
          >
            <ExternalLink />
            <span className="max-w-60 truncate">
              {t("impersonate.openAs", { name: user.name || showEmail(user.email) })}
            </span>
          </a>
        )}
      </div>
    </div>
  );
};

/** Asks for the reason of an impersonation, then starts it in another window. */
export const Impersonate = (props: UserDialogProps) => {
  const [link, setLink] = useState<Link>();
  const follow = useFollowed(props.onClose);
  const giveUp = () => {
    discardDraft(draftOf(props.user));
    props.onClose();
  };
  return (
    <Dialog
      title={t("impersonate.title")}
      description={richText("impersonate.text", {
        email: <bdi className="break-words">{showEmail(props.user.email)}</bdi>,
      })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && giveUp()}
    >
      {link ? (
        <ReadyLink {...props} link={link} onAgain={() => setLink(undefined)} />
      ) : (
        <ReasonForm
          user={props.user}
          onClose={giveUp}
          onLink={(created) => (openElsewhere(created.url) ? follow() : setLink(created))}
        />
      )}
    </Dialog>
  );
};
