// Written by `npx latchkey types`. Write it again when fields, roles or permissions of the configuration change.
import type { AccessControl, Role } from "better-auth/plugins/access";

/** Additional fields, for `createLatchkey<LatchkeyFields>` and the hooks of `@latchkey/react`. */
export type LatchkeyFields = {
  user: {
    plan: "free" | "paid" | null;
    bornOn: string | null;
  };
  session: {};
};

/** Additional fields, for `inferAdditionalFields<LatchkeyOptions>()` of the SDK. */
export type LatchkeyOptions = {
  options: {
    user: {
      additionalFields: {
        plan: {
          type: ["free", "paid"];
          required: true;
          input: false;
          returned: true;
          defaultValue: string;
        };
        bornOn: {
          type: "date";
          required: false;
          input: true;
          returned: true;
        };
      };
    };
    session: {
      additionalFields: {};
    };
  };
};

/** Roles of the installation, for `adminClient<LatchkeyAdmin>()` of the SDK. */
export type LatchkeyAdmin = {
  ac: AccessControl<{
    user: readonly [
      "create",
      "list",
      "get",
      "update",
      "set-role",
      "set-email",
      "set-password",
      "ban",
      "secure",
      "merge",
      "impersonate",
      "reset-two-factor",
      "delete",
    ];
    session: readonly ["list", "revoke", "delete"];
    organization: readonly ["list", "get", "create", "update", "delete"];
    apiKey: readonly ["list", "create", "update", "delete"];
    signingKey: readonly ["list", "rotate"];
    oauthClient: readonly ["list", "create", "update", "delete"];
    delivery: readonly ["list", "read", "retry"];
    queue: readonly ["list", "update"];
    webhook: readonly ["list", "create", "update", "delete", "retry", "read"];
    statistics: readonly ["read"];
    audit: readonly ["list"];
    settings: readonly ["read"];
    rateLimit: readonly ["reset"];
  }>;
  roles: {
    admin: Role<{
      user: readonly [
        "create",
        "list",
        "get",
        "update",
        "set-role",
        "set-email",
        "set-password",
        "ban",
        "secure",
        "merge",
        "impersonate",
        "reset-two-factor",
        "delete",
      ];
      session: readonly ["list", "revoke", "delete"];
      organization: readonly ["list", "get", "create", "update", "delete"];
      apiKey: readonly ["list", "create", "update", "delete"];
      signingKey: readonly ["list", "rotate"];
      oauthClient: readonly ["list", "create", "update", "delete"];
      delivery: readonly ["list", "read", "retry"];
      queue: readonly ["list", "update"];
      webhook: readonly ["list", "create", "update", "delete", "retry", "read"];
      statistics: readonly ["read"];
      audit: readonly ["list"];
      settings: readonly ["read"];
      rateLimit: readonly ["reset"];
    }>;
    user: Role<{}>;
  };
};

/** Roles and additional fields of organizations, for `organizationClient<LatchkeyOrganization>()` of the SDK. */
export type LatchkeyOrganization = {
  ac: AccessControl<{
    organization: readonly ["update", "delete"];
    member: readonly ["create", "update", "delete"];
    invoice: readonly ["read", "pay"];
  }>;
  roles: {
    owner: Role<{
      organization: readonly ["update", "delete"];
      member: readonly ["create", "update", "delete"];
      invoice: readonly ["read", "pay"];
    }>;
    accountant: Role<{
      invoice: readonly ["read", "pay"];
    }>;
    member: Role<{
      invoice: readonly ["read"];
    }>;
  };
  schema: {
    organization: {
      additionalFields: {
        vatId: {
          type: "string";
          required: false;
          input: true;
          returned: true;
        };
      };
    };
    member: {
      additionalFields: {};
    };
    invitation: {
      additionalFields: {};
    };
    team: {
      additionalFields: {};
    };
  };
  teams: {
    enabled: false;
  };
  dynamicAccessControl: {
    enabled: false;
  };
};
