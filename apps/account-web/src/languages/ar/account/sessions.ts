import type { Translation } from "../../messages.ts";

export const sessions: Translation<"account", "sessions"> = {
  title: "الجلسات",
  lead: "المتصفحات والأجهزة التي سجَّلت الدخول منها.",
  list: "الجلسات النشطة",
  device: "{{browser}} على {{system}}",
  unknownDevice: "جهاز غير معروف",
  current: "هذه الجلسة",
  address: "عنوان IP {{address}}",
  started: "تسجيل الدخول",
  lastActive: "آخر نشاط",
  expires: "تنتهي",
  end: "إنهاء الجلسة",
  endOf: "إنهاء جلسة {{device}}",
  ended: "تم إنهاء الجلسة.",
  endOthers: "إنهاء جميع الجلسات الأخرى",
  endOthersTitle: "هل تريد إنهاء جميع الجلسات الأخرى؟",
  endOthersText: "ستبقى مسجلًا الدخول هنا، وسيتم تسجيل خروجك من كل مكان آخر.",
  othersEnded: "تم إنهاء جميع الجلسات الأخرى.",
};
