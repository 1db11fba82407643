import { Eye } from "lucide-react";
import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { MailPreview } from "./mail-preview.tsx";

const { adminGetDelivery } = operations.mailer;

type ReadMail = CallReply<typeof adminGetDelivery>;

const isOfTheWeb = (link: string): boolean => /^https?:$/.test(URL.parse(link)?.protocol ?? "");

const languageName = (locale: ReadMail["locale"]): string =>
  (locale && new Intl.DisplayNames("en", { type: "language" }).of(locale)) ?? "Unknown";

/** Offers to open the link only of a captured mail: the link of any other mail is meant for its recipient. */
const MailLink = ({ mail: { link, state } }: { mail: ReadMail }) => {
  if (link === null) return null;
  return (
    <section aria-label="Link" className="flex flex-col gap-2 rounded-md border p-3">
      <p className="text-muted">
        {state === "captured"
          ? "The link in this email. It works once and opens the recipient's account."
          : "The link in this email. It works once. If you use it, the recipient cannot."}
      </p>
      <div className="flex items-start gap-2">
        <code className="max-h-24 min-w-0 flex-1 overflow-y-auto font-mono text-xs break-all">
          {link}
        </code>
        <CopyId id={link} of="this link" hidesId />
      </div>
      {state === "captured" && isOfTheWeb(link) && (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          className={`${buttonStyle("secondary")} self-start`}
        >
          Open link in new tab
        </a>
      )}
    </section>
  );
};

const Said = ({ mail }: { mail: ReadMail }) => {
  const [side, setSide] = useState("html");
  if (mail.isWithheld)
    return (
      <Notice>
        The content of this email is hidden. Nobody can see a code or link that signs in. Only
        admins can see other links, because they may open an account.
      </Notice>
    );
  if (mail.text === null || mail.html === null)
    return (
      <Notice tone="warning">
        This email cannot be decrypted. The secret that encrypted it is no longer configured.
      </Notice>
    );
  return (
    <div className="flex flex-col gap-4">
      <Facts facts={{ Language: languageName(mail.locale) }} />
      <Tabs
        label="Email views"
        value={side}
        onChange={setSide}
        tabs={[
          { value: "html", label: "Preview", content: <MailPreview html={mail.html} /> },
          {
            value: "text",
            label: "Plain text",
            content: (
              <pre
                tabIndex={0}
                role="region"
                aria-label="Plain text of the email"
                lang={mail.locale ?? undefined}
                dir="auto"
                className="h-96 overflow-auto rounded-md border bg-sunken p-3 font-mono text-xs whitespace-pre-wrap"
              >
                {mail.text}
              </pre>
            ),
          },
        ]}
      />
      <MailLink mail={mail} />
    </div>
  );
};

/** Shows the content of a mail on demand. Each read is recorded in the audit log. */
export const MailContent = ({ id }: { id: string }) => {
  const { may } = useAccess();
  const read = useOperation(adminGetDelivery, { showsError: true });
  if (read.data) return <Said mail={read.data} />;
  if (!may("delivery:read")) return <Notice>You do not have permission to read emails.</Notice>;
  return (
    <div className="flex flex-col items-start gap-3 rounded-md border p-4">
      <p className="text-muted">
        A link or code in an email may open the recipient's account. Reading it is recorded in the
        audit log.
      </p>
      {read.error && <FormError error={read.error} />}
      <Button isBusy={read.isPending} onClick={() => read.mutate({ params: { id } })}>
        <Eye />
        Read email
      </Button>
    </div>
  );
};
