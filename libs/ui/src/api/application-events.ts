import type { applicationEvents as declared } from "@latchkey/contracts";

type Declared = typeof declared;
export type ApplicationEventType = keyof Declared;

/** The kind of object that an event is about: the part of its type before the dot. */
export type EventTopic = ApplicationEventType extends infer Type
  ? Type extends `${infer Topic}.${string}`
    ? Topic
    : never
  : never;

/** An event that webhooks can receive. */
export interface EventInBrief {
  readonly type: ApplicationEventType;
  /** One sentence. */
  readonly summary: string;
  /** The permission that an admin needs to receive it. */
  readonly permission: {
    [
      Type in ApplicationEventType
    ]: `${Declared[Type]["permission"]["resource"]}:${Declared[Type]["permission"]["action"]}`;
  }[ApplicationEventType];
  /** Whether webhooks of an organization can receive it. */
  readonly isOfOrganizations: boolean;
}

/** Inserted by the build: see `build/contracts-in-brief.ts`. */
declare const LATCHKEY_EVENTS: readonly EventInBrief[];

/** The events of applications, in the order of their documentation. */
export const applicationEvents = LATCHKEY_EVENTS;
