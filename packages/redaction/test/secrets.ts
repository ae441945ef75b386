/**
 * Planted secrets, which the tests and the figures of docs/privacy.md use. `<card|4242…>` is a secret with its kind; a
 * list is a conversation, in which lines of the agent begin with `A: `. Cards and accounts are the published test
 * numbers of their networks and registries; phone numbers and addresses are fictional or reserved.
 */

export type Language = 'en' | 'es' | 'de' | 'fr';

interface Secret {
  form: string;
  language: Language;
  lines: string | string[];
}

function forms(form: string, lines: Partial<Record<Language, (string | string[])[]>>): Secret[] {
  return Object.entries(lines).flatMap(([language, all]) =>
    all.map((one) => ({ form, language: language as Language, lines: one })),
  );
}

export const SECRETS: Secret[] = [
  ...forms('card, written', {
    en: ['My card is <card|4242 4242 4242 4242>, expiry 12/28.', 'Charge <card|378282246310005> please.'],
    es: ['La tarjeta es <card|5555-5555-5555-4444>, gracias.'],
    de: ['Bitte <card|5105105105105100> belasten.'],
    fr: ['Ma carte, c’est <card|4000 0566 5566 5556>.'],
  }),
  ...forms('card, digit by digit', {
    en: [
      'Sure, <card|four two four two four two four two four two four two four two four two>.',
      'It is <card|3 7 8 2 8 2 2 4 6 3 1 0 0 0 5>, okay?',
    ],
    es: ['Es el <card|cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos cuatro dos>.'],
    de: ['Also <card|vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei>.'],
    fr: [
      'C’est le <card|quatre deux quatre deux quatre deux quatre deux quatre deux quatre deux quatre deux quatre deux>.',
    ],
  }),
  ...forms('card, in pairs', {
    en: ['<card|forty-two forty-two forty-two forty-two forty-two forty-two forty-two forty-two>'],
    es: [
      'Apunte: <card|cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos cuarenta y dos>.',
    ],
    de: [
      'Ja, <card|zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig zweiundvierzig>.',
    ],
    fr: [
      'Voici : <card|quarante-deux quarante-deux quarante-deux quarante-deux quarante-deux quarante-deux quarante-deux quarante-deux>.',
    ],
  }),
  ...forms('card, with “double” and “triple”', {
    en: ['<card|five five double five, triple five five, five five five five, double four double four>'],
    es: ['<card|doble cinco doble cinco, doble cinco doble cinco, doble cinco doble cinco, doble cuatro doble cuatro>'],
    de: ['<card|doppel fünf doppel fünf, fünf fünf fünf fünf, doppel fünf doppel fünf, vier vier doppel vier>'],
    fr: ['<card|double cinq double cinq, cinq cinq cinq cinq, double cinq double cinq, quatre quatre double quatre>'],
  }),
  ...forms('card, with pauses and fillers', {
    en: ['It’s <card|4242, uh, 4242... and then 4242, 4242>.'],
    es: ['Es <card|4242, eh, 4242, y luego 4242, 4242>.'],
    de: ['Die <card|4242, ähm, 4242 … und dann 4242, 4242>.'],
    fr: ['C’est <card|4242, euh, 4242, et puis 4242, 4242>.'],
  }),
  ...forms('card, in four turns after a question', {
    en: [
      [
        'A: What is your card number?',
        '<card|4242>',
        'A: Go on.',
        '<card|4242>',
        '<card|four two four two>',
        '<card|4242>.',
      ],
    ],
    es: [
      [
        'A: ¿Cuál es el número de su tarjeta?',
        '<card|4242>',
        '<card|4242>',
        '<card|cuatro dos cuatro dos>',
        '<card|4242>',
      ],
    ],
    de: [['A: Wie ist Ihre Kartennummer?', '<card|4242>', '<card|4242>', '<card|vier zwei vier zwei>', '<card|4242>']],
    fr: [
      [
        'A: Quel est le numéro de votre carte ?',
        '<card|4242>',
        '<card|4242>',
        '<card|quatre deux quatre deux>',
        '<card|4242>',
      ],
    ],
  }),
  ...forms('card, in turns, from the second on', {
    en: [['4242', '<card|4242>', '<card|4242>', '<card|4242>']],
    es: [['4000', '<card|0566>', '<card|5566>', '<card|5556>']],
    de: [
      ['vier zwei vier zwei', '<card|vier zwei vier zwei>', '<card|vier zwei vier zwei>', '<card|vier zwei vier zwei>'],
    ],
    fr: [['5555', '<card|5555>', '<card|5555>', '<card|4444>']],
  }),
  ...forms('card, in other digits', {
    en: ['Paste: <card|４２４２４２４２４２４２４２４２>'],
    de: ['Nummer <card|4242–4242–4242–4242>'],
  }),
  ...forms('card, in the arguments of a tool', {
    en: ['{"number":"<card|4242424242424242>","exp":"12/28"}'],
    fr: ['numero=<card|5555555555554444>&total=19.90'],
  }),
  ...forms('IBAN, written', {
    en: ['Send it to <iban|GB82 WEST 1234 5698 7654 32> today.'],
    es: ['A la cuenta <iban|ES91 2100 0418 4502 0005 1332>.'],
    de: ['Auf <iban|DE89370400440532013000> bitte.'],
    fr: ['Mon IBAN : <iban|FR14 2004 1010 0505 0001 3M02 606>.'],
  }),
  ...forms('IBAN, spelled', {
    en: ['<iban|G B eight two W E S T one two three four five six nine eight seven six five four three two>'],
    es: [
      'Es <iban|E S nueve uno dos uno cero cero cero cuatro uno ocho cuatro cinco cero dos cero cero cero cinco uno tres tres dos>',
    ],
    de: [
      '<iban|D E acht neun drei sieben null vier null null vier vier null fünf drei zwei null eins drei null null null>',
    ],
    fr: ['<iban|F R 14 20 04 10 10 05 05 00 01 3 M 02 606>'],
  }),
  ...forms('e-mail address, written', {
    en: ['Write to <email|ann_b+x@mail.example.co.uk>, please.'],
    es: ['Mi correo es <email|perez.ana@ejemplo.es>.'],
    de: ['An <email|max.mustermann@beispiel-firma.de> bitte.'],
    fr: ['C’est <email|jean-dupont@exemple.fr>, merci.'],
  }),
  ...forms('e-mail address, spoken', {
    en: [
      'It’s <email|john dot smith at example dot com>.',
      'That is <email|j o h n four two at g mail dot com>.',
      'Use <email|ann underscore bell at example dot org> then.',
    ],
    es: [
      'Es <email|ana punto pérez arroba ejemplo punto es>.',
      'Sí, <email|ana guion bajo ruiz arroba ejemplo punto com>.',
    ],
    de: [
      'Das ist <email|max Punkt mustermann Klammeraffe beispiel Bindestrich firma Punkt de>.',
      '<email|anna at beispiel Punkt de>',
    ],
    fr: ['C’est <email|jean tiret dupont arobase exemple point fr>.'],
  }),
  ...forms('phone number, written', {
    en: ['Call me at <phone|(415) 555-2671>.', 'Or <phone|+44 20 7946 0958> in London.'],
    es: ['Mi móvil es <phone|612 345 678>.'],
    de: ['Unter <phone|0151 23456789> bin ich da.'],
    fr: ['Appelez le <phone|06 12 34 56 78>.'],
  }),
  ...forms('phone number, spoken', {
    en: [
      'It’s <phone|four one five, two five five, two six seven one>.',
      '<phone|plus four nine, one five one, two three four five six seven eight nine>',
    ],
    es: ['Es el <phone|seiscientos doce, trescientos cuarenta y cinco, seiscientos setenta y ocho>.'],
    de: ['Die <phone|null eins fünf eins zwei drei vier fünf sechs sieben acht neun>.'],
    fr: ['Le <phone|zéro six douze trente-quatre cinquante-six soixante-dix-huit>.'],
  }),
  ...forms('phone number, beside others', {
    en: [
      '<phone|202-555-0143> and <phone|202-555-0144>',
      'At 10, <phone|202-555-0143>.',
      '<phone|202-555-0143>, 94107, or <phone|202-555-0144> ok then 12.',
      '<card|4242 4242 4242 4242>, <phone|202-555-0143>, <iban|GB82 WEST 1234 5698 7654 32>',
      'Order 4155552671 and <phone|202-555-0143>.',
      'phones=<phone|2025550143>,<phone|2025550144>',
      '<phone|four one five, two five five, two six seven one> and <phone|two oh two, triple five, one double oh oh> and ten',
      '<phone|202, uh, 555, 0143> and <phone|202, uh, 555 01 double four>',
    ],
    es: [
      '<phone|612 345 678> y <phone|612 345 679>',
      'A las 10, <phone|612 345 678>, 28013 Madrid.',
      '<phone|seiscientos doce, trescientos cuarenta y cinco, seiscientos setenta y ocho> y veinte',
    ],
    de: [
      '<phone|0151 23456789>, 10115 Berlin',
      '<phone|0151 23456789> und <phone|0151 23456780>',
      'Um 10, <phone|null eins fünf eins zwei drei vier fünf sechs sieben acht neun> und zehn.',
    ],
    fr: [
      '<phone|06 12 34 56 78> et <phone|06 12 34 56 79>',
      '<phone|06.12.34.56.78>, 75011 Paris',
      'Le <phone|zéro six douze trente-quatre cinquante-six soixante-dix-huit> et vingt.',
    ],
  }),
  ...forms('phone number, after a word like “order”', {
    en: [
      'In that case my number is <phone|202-555-0143>.',
      'In any case it is <phone|202-555-0143>.',
      'My account phone is <phone|(202) 555-0143>.',
      'For my order, call <phone|202-555-0143>.',
      'I cancelled my order. <phone|two oh two, five five five, oh one four three> is my number.',
      'Ask about my order with <phone|(202) 555-0143>.',
    ],
    es: ['Por mi pedido, llame al <phone|612 345 678>.'],
    de: ['Wegen der Rechnung bitte an <phone|0151 23456789>.'],
    fr: ['Pour ma commande, appelez le <phone|06 12 34 56 78>.'],
  }),
  ...forms('social security number', {
    en: [
      'It is <ssn|123-45-6789>.',
      'My social security number is <ssn|one two three, forty-five, six seven eight nine>.',
      ['A: And your social security number?', 'Sure: <ssn|123456789>.'],
    ],
    es: ['Mi número de la seguridad social es <ssn|28 12345678 40>.'],
    de: ['Sozialversicherungsnummer <ssn|65 180539 W 001>.'],
    fr: ['Mon numéro de sécurité sociale : <ssn|1 84 12 76 451 089 46>.'],
  }),
  ...forms('social security number, beside others', {
    en: [
      '<ssn|078-05-1120>, <phone|202-555-0143>',
      'My social is <ssn|078-05-1120>, and 12345.',
      'My social is <ssn|078-05-1120>. <phone|202-555-0143> is my phone.',
      '<ssn|078-05-1120> <phone|(202) 555-0143>',
      '<ssn|one two three, forty-five, six seven eight nine> and nine four one oh seven',
    ],
    es: ['<ssn|28 12345678 40>, <phone|612 345 678>'],
    fr: ['<ssn|1 84 12 76 451 089 46> et <phone|06 12 34 56 78>'],
  }),
];

/** Secrets that are not found; the figures count them. Should one be found some day, move it above. */
export const MISSED: Secret[] = [
  ...forms('first part of a number that nobody asked for', {
    en: [['<card|4242>', 'Wait a moment.']],
    es: [['<card|4000>', 'Un momento, que lo busco.']],
    de: [['<card|vier zwei vier zwei>', 'Einen Moment bitte noch.']],
    fr: [['<card|5555>', 'Un instant, je vous prie.']],
  }),
  ...forms('card, with a digit that was heard wrongly', { en: ['It is <card|4242 4242 4242 4241>.'] }),
  ...forms('IBAN, spelled with words', {
    de: ['<iban|D wie Dora E wie Emil 89 3704 0044 0532 0130 00>'],
  }),
  ...forms('phone number, with only pauses beside others', {
    en: ['At ten, <phone|four one five, two five five, two six seven one>.'],
  }),
  ...forms('card, by two people in turn', {
    en: [['A: <card|four two four two four two four two>', '<card|4242 4242>']],
  }),
];
