import type { Translation } from "../../messages.ts";

export const password: Translation<"front", "password"> = {
  newPassword: "كلمة المرور الجديدة",
  hint_zero: "لا حد أدنى لعدد الأحرف.",
  hint_one: "حرف واحد على الأقل.",
  hint_two: "حرفان على الأقل.",
  hint_few: "{{count}} أحرف على الأقل.",
  hint_many: "{{count}} حرفًا على الأقل.",
  hint_other: "{{count}} حرف على الأقل.",
  tooShort_zero: "أدخِل كلمة مرور.",
  tooShort_one: "استخدم حرفًا واحدًا على الأقل.",
  tooShort_two: "استخدم حرفين على الأقل.",
  tooShort_few: "استخدم {{count}} أحرف على الأقل.",
  tooShort_many: "استخدم {{count}} حرفًا على الأقل.",
  tooShort_other: "استخدم {{count}} حرف على الأقل.",
  tooLong: "اختر كلمة مرور أقصر.",
  backToSignIn: "العودة إلى تسجيل الدخول",
  forgot: {
    title: "إعادة تعيين كلمة المرور",
    text: "أدخِل عنوان بريدك الإلكتروني. سنرسل إليك رابطًا لاختيار كلمة مرور جديدة.",
    submit: "إرسال الرابط",
  },
  sent: {
    title: "تحقَّق من بريدك الوارد",
    text: "إذا كان هناك حساب لعنوان {{email}} هنا، فهناك رابط في طريقه إليك. لا يعمل إلا مرة واحدة ولفترة قصيرة.",
  },
  reset: { title: "اختيار كلمة مرور جديدة", submit: "حفظ كلمة المرور" },
  changed: {
    title: "تم تغيير كلمة المرور",
    text: "سجِّل الدخول بكلمة المرور الجديدة.",
    signIn: "تسجيل الدخول",
  },
  linkFailed: {
    title: "لم ينجح هذا الرابط",
    text: "سبق استخدامه، أو انتهت صلاحيته. اطلب رابطًا جديدًا.",
    again: "طلب رابط جديد",
  },
};
