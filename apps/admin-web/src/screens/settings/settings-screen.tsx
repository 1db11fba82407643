import { getRouteApi } from "@tanstack/react-router";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { zodResolver } from "@hookform/resolvers/zod";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { CircleCheck, CircleX } from "lucide-react";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { OptionsTab } from "./options-tab.tsx";
import { settingsSearch } from "./settings-search.ts";
import { unblockedText } from "../../components/rate-limits/unblock-address.tsx";

const urlLengthMax = 2048;

const question = z.object({
  url: z
    .string()
    .min(1, "Enter the URL or path to test.")
    .max(urlLengthMax, `Use at most ${urlLengthMax} characters.`),
  field: z.enum(["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]),
});

const fields = question.shape.field.options.map((value) => ({ value, label: value }));

interface Verdict {
  allowed: boolean;
  reason: string;
}

const VerdictNotice = ({ verdict: { allowed, reason } }: { verdict: Verdict }) => (
  <Notice tone={allowed ? "success" : "warning"}>
    <p className="flex items-center gap-1.5 font-medium [&_svg]:size-4">
      {allowed ? <CircleCheck aria-hidden="true" /> : <CircleX aria-hidden="true" />}
      {allowed ? "Allowed" : "Refused"}
    </p>
    <p>{reason}</p>
  </Notice>
);

const RedirectForm = () => {
  const redirectTest = useOperation(operations.gateway.adminTestRedirect, { showsError: true });
  const form = useForm<z.output<typeof question>>({
    resolver: zodResolver(question),
    defaultValues: { url: "", field: "callbackURL" },
    change: redirectTest,
    onSubmit: (body) => redirectTest.mutate({ body }),
  });
  return (
    <Form
      form={form}
      foot={
        <>
          <Button
            type="submit"
            kind="primary"
            className="self-start"
            isBusy={redirectTest.isPending}
          >
            Test
          </Button>
          <div role="status" className="break-words">
            {redirectTest.data && !redirectTest.isPending && (
              <VerdictNotice verdict={redirectTest.data} />
            )}
          </div>
        </>
      }
    >
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          {...form.field("url")}
          label="URL or path"
          className="min-w-64 flex-1"
          placeholder="https://app.example.com/welcome"
          autoComplete="off"
          spellCheck={false}
        />
        <Field label="Field" className="w-52">
          <Select choices={fields} {...form.choice("field")} />
        </Field>
      </div>
    </Form>
  );
};

/** Checks whether a redirect target is allowed, and says why. */
const RedirectsTab = () => (
  <Card title="Test a redirect" className="max-w-3xl">
    <p className="mb-4 text-muted">
      The same rules apply as for client requests. Paths, the base URL's origin, and the origins in
      trustedOrigins are allowed.
    </p>
    <RedirectForm />
  </Card>
);

const blocked = z.object({
  ipAddress: z
    .string()
    .trim()
    .refine(
      (text) => z.union([z.ipv4(), z.ipv6()]).safeParse(text).success,
      "Enter an IP address such as 203.0.113.7.",
    ),
});

/** Unblocks a rate-limited IP address. */
const RateLimitsTab = () => {
  const reset = useOperation(operations.gateway.adminResetRateLimits, {
    showsError: true,
    done: (reply): string => unblockedText(form.getValues("ipAddress").trim(), reply),
  });
  const form = useForm<z.output<typeof blocked>>({
    resolver: zodResolver(blocked),
    defaultValues: { ipAddress: "" },
    change: reset,
    onSubmit: (body) => reset.mutate({ body }),
  });
  return (
    <Card title="Unblock an IP address" className="max-w-3xl">
      <p className="mb-4 text-muted">
        Resets all rate limits of an IP address. For an IPv6 address, the limits of its /64 network
        are reset.
      </p>
      <Form
        form={form}
        foot={
          <Button type="submit" kind="primary" className="self-start" isBusy={reset.isPending}>
            Unblock
          </Button>
        }
      >
        <TextField
          {...form.field("ipAddress")}
          label="IP address"
          className="max-w-96"
          autoComplete="off"
          spellCheck={false}
        />
      </Form>
    </Card>
  );
};

const route = getRouteApi("/shell/settings");

export const SettingsScreen = () => {
  const { tab } = route.useSearch();
  const { may } = useAccess();
  const navigate = route.useNavigate();
  const resetsLimits = may("rateLimit:reset");
  // An admin who may do neither sees the options' refusal.
  const tabs = [
    ...(may("settings:read") || !resetsLimits
      ? [
          { value: "options", label: "Options", content: <OptionsTab /> },
          { value: "redirects", label: "Redirect tester", content: <RedirectsTab /> },
        ]
      : []),
    ...(resetsLimits
      ? [{ value: "rate-limits", label: "Rate limits", content: <RateLimitsTab /> }]
      : []),
  ];
  return (
    <Page title="Settings">
      <Tabs
        label="Settings"
        value={(tabs.find(({ value }) => value === tab) ?? tabs[0])?.value ?? ""}
        onChange={(chosen) =>
          void navigate({
            to: ".",
            search: settingsSearch({ tab: chosen }),
            replace: true,
          })
        }
        tabs={tabs}
      />
    </Page>
  );
};
