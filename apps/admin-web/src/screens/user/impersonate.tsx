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

const { adminCreateImpersonationLink } = operations.identity;

type Link = CallReply<typeof adminCreateImpersonationLink>;

const reasonForm = z.object({
  reason: z
    .string()
    .trim()
    .min(1, "Enter a reason, such as the number of a ticket.")
    .max(500, "Use at most 500 characters."),
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
    <DialogForm form={form} action="Impersonate" onClose={onClose}>
      <TextAreaField
        {...form.field("reason")}
        label="Reason"
        hint="Stored in the audit log and shown with the session."
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
      <p role="status">
        {isOver
          ? "The link has expired. It works for one minute."
          : "The link is ready. It works once, within one minute, in this browser."}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        {isOver ? (
          <Button kind="primary" onClick={onAgain}>
            Create another link
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
            <span className="max-w-60 truncate">Open as {user.name || showEmail(user.email)}</span>
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
      title="Impersonate user"
      description={
        <>
          Your application opens in a new window, where you are signed in as{" "}
          <bdi className="break-words">{showEmail(props.user.email)}</bdi> for up to one hour. Your
          actions there are recorded under your own name.
        </>
      }
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
