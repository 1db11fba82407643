import type { OrganizationFieldKind } from "./additional-fields.ts";
import type { RoleDefinitions } from "./access-control.ts";
import type { Look } from "./look.ts";
import type { Options } from "./options.ts";
import type { AdditionalField } from "./options/additional-field.ts";

/** Returns whether the account web is served: admins sign in there as well (ADR 109). */
export const isAccountWebServed = ({ account, admin }: Pick<Options, "account" | "admin">) =>
  account.enabled || (admin.enabled && admin.web);

/** The mark of a provider in a square of 24: paths of SVG with their colours. Without one, a path has the colour of the text. */
export type ProviderMark = readonly { readonly d: string; readonly color?: string | undefined }[];

/** The options that the gateway writes into the pages of the account web. Anyone can read them. */
export interface AccountWebFacts {
  readonly branding: Pick<
    Look,
    "name" | "logo" | "layout" | "texts" | "links" | "supportAddress" | "termsURL" | "privacyURL"
  >;
  /** The address of the application, for the way back to it. */
  readonly applicationURL?: string | undefined;
  /** Sign-in by password. Undefined if it is off. */
  readonly password?:
    | {
        readonly lengthMin: number;
        readonly lengthMax: number;
        readonly takesSignUp: boolean;
        /** The mail to choose a new password. Undefined if there is none. */
        readonly reset?: "link" | "code" | undefined;
      }
    | undefined;
  /** Whether the sign-in asks for the password in a second step. */
  readonly identifierFirst: boolean;
  /** Whether a magic link or an email code registers unknown addresses. */
  readonly mailSignUp: { readonly magicLink: boolean; readonly emailOTP: boolean };
  /** The mails that verify an address. */
  readonly verification: {
    /** The mails of a sign-up. Empty if it is mailed nothing. */
    readonly atSignUp: readonly ("link" | "code")[];
    /** The mail on request, and to a user with the right password. Undefined if there is none. */
    readonly onRequest?: "link" | "code" | undefined;
  };
  /** The digits of a code, by what it is for: a sign-in or verification by mail, one by text message, and the two kinds of second factors. */
  readonly codeLengths: {
    readonly email: number;
    readonly phone: number;
    readonly app: number;
    readonly mail: number;
  };
  /** The providers that are on, in the order of the configuration. */
  readonly providers: readonly {
    readonly id: string;
    readonly name?: string | undefined;
    readonly mark?: ProviderMark | undefined;
  }[];
  /** The additional fields that a sign-up may or must give, and that users change in their profile. */
  readonly fields: readonly SignUpField[];
  /** The additional fields of organizations and of what is in them that members may set. */
  readonly organizationFields: Readonly<
    Record<Exclude<OrganizationFieldKind, "member">, readonly SignUpField[]>
  >;
  /** Whether a passed second factor can be remembered in a browser. */
  readonly trustsBrowsers: boolean;
  /** The name of the cookie with the way of the last sign-in. Undefined if there is none. */
  readonly lastLoginCookie?: string | undefined;
  /** Whether API keys can stand for a session of their owner. */
  readonly keySessions: boolean;
  /** The changes of their own account that users may make. */
  readonly changes: {
    /** The mails that confirm a new email: links, a code to it, or codes to it and to the present one. Undefined if it cannot be changed. */
    readonly email?: "link" | "code" | "codes" | undefined;
    readonly deletion: boolean;
  };
  /** The roles in an organization. */
  readonly organizationRoles: readonly string[];
  /** The permissions of those roles, if organizations make roles of their own. */
  readonly rolePermissions?: RoleDefinitions | undefined;
  /** The role of the owners of an organization. */
  readonly ownerRole: string;
  /** Whether organizations have API keys. */
  readonly organizationKeys: boolean;
  /** The origins from which pictures of users and organizations may be loaded. */
  readonly pictureOrigins: readonly string[];
  /** The captcha that some operations require. Undefined without one, or without its site key. */
  readonly captcha?:
    | {
        readonly provider: Options["captcha"]["provider"];
        readonly siteKey: string;
        /** The paths of the operations that require it. */
        readonly paths: readonly string[];
      }
    | undefined;
}

/** An additional field that people fill in. A list of texts is an enumeration. */
export interface SignUpField {
  readonly name: string;
  readonly type: "string" | "number" | "boolean" | "date" | readonly string[];
  readonly required: boolean;
  /** Whether replies contain it, so that a form can show its present value. */
  readonly returned: boolean;
  /** For all languages or by language. Otherwise the name in words. */
  readonly label?: AdditionalField["label"];
}
