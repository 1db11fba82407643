import { webConfig } from "@latchkey/ui/web-config";
import { defineConfig } from "vite";

/**
 * Few files of some size: on a slow network each request costs more than a few kilobytes that a screen does not need. Each group
 * becomes one file, with what its modules import.
 */
export default defineConfig(
  webConfig({
    web: "admin",
    root: import.meta.dirname,
    beginsBeforeMain: true,
    firstScreen: /admin-web\/src\/screens\/home\/(?!cards\/)|ui\/src\/components\/input-style/,
    chunkGroups: [
      // The first screen is usable without these. One request gets all popups and dialogs, with the library that they share.
      {
        name: "popups",
        test: /\.popup\.tsx$|@base-ui\/react\/(?!button|csp-provider|merge-props|internals\/use-button)|components\/(alert-dialog|confirm|dialog|drawer|fields?|progress|tabs|rate-limits\/unblock-address)\.tsx/,
        priority: 3,
      },
      {
        name: "basics",
        test: /ui\/src\/(api\/(?!application-events)|errors\/|save-file|components\/(badge|card|copy-id|date-range-picker|day-bars|day-range|empty-state|facts|json-view|notice|number-text|relative-time|table|use-now))|src\/components\/(api-keys\/key-(?:name|state)|detail\.tsx|errors|page\.tsx|use-option|roles\/(role-badges|use-role-names|split-roles)|users\/(field-text|is-banned|sign-in-words|user-state))|user\/sign-in-accounts|admin-web\/src\/(api|access)\/|lucide-react|react-query/,
        minShareCount: 2,
        priority: 4,
        isCalledOnLoad: true,
      },
      {
        name: "lists",
        test: /components\/(data-table|export)|ui\/src\/components\/(checkbox|select)|react-table/,
        minShareCount: 2,
        priority: 2,
        isCalledOnLoad: true,
      },
      // Most screens that name a user name other parties, too, and have the words of the audit log.
      {
        name: "parties",
        test: /src\/components\/(audit\/(alternatives-of|audit-party|audit-place|audit-sources|audit-words|entry-key|merge-sorted|read-|use-named-thing)|users\/(use-named-user|user-label))/,
        minShareCount: 2,
        priority: 1,
      },
      // The parts of Home that load after its numbers, with the chart that other screens also have.
      {
        name: "home",
        test: /admin-web\/src\/screens\/home\/cards\/|ui\/src\/components\/day-chart/,
        priority: 1,
      },
      {
        name: "forms",
        test: /react-hook-form|@hookform|ui\/src\/form\//,
        minShareCount: 2,
        priority: 1,
      },
    ],
  }),
);
