/** Number words of English, Spanish, German and French, without accents and in lower case. */

/** The languages of a word, as bits: some are words of several. */
export const [EN, ES, DE, FR] = [1, 2, 4, 8] as const;

export interface NumberWord {
  value: number;
  /**
   * `digit` 0 to 9, `teen` 10 to 19, `ten` 20 to 90, `whole` a number that takes no further word, `hundred` after a
   * digit, `hundreds` 100 to 900.
   */
  type: 'digit' | 'teen' | 'ten' | 'whole' | 'hundred' | 'hundreds';
  languages: number;
}

export const NUMBER_WORDS = new Map<string, NumberWord>();
/** "Double" and the like: how often the next digit is meant. */
export const TIMES = new Map([
  ['double', 2],
  ['doppel', 2],
  ['doppelt', 2],
  ['doppelte', 2],
  ['doble', 2],
  ['triple', 3],
  ['treble', 3],
  ['dreifach', 3],
]);
/** Letters that are said for a zero, only among digits. */
export const OH = new Set(['o', 'oh']);

/** Words from `first` on, separated by spaces; alternatives by a slash. */
function add(languages: number, type: NumberWord['type'], first: number, words: string, step = 1): void {
  for (const [index, alternatives] of words.split(' ').entries())
    for (const word of alternatives.split('/')) {
      const known = NUMBER_WORDS.get(word);
      NUMBER_WORDS.set(word, {
        value: first + index * step,
        type,
        languages: languages | (known?.languages ?? 0),
      });
    }
}

add(EN, 'digit', 0, 'zero/nought one two three four five six seven eight nine');
add(EN, 'teen', 10, 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen');
add(EN, 'ten', 20, 'twenty thirty forty/fourty fifty sixty seventy eighty ninety', 10);
add(EN, 'hundred', 100, 'hundred');

add(ES, 'digit', 0, 'cero uno/un dos tres cuatro cinco seis siete ocho nueve');
add(ES, 'teen', 10, 'diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve');
add(ES, 'ten', 20, 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa', 10);
add(ES, 'whole', 21, 'veintiuno/veintiun veintidos veintitres veinticuatro veinticinco veintiseis veintisiete');
add(ES, 'whole', 28, 'veintiocho veintinueve');
add(ES, 'hundreds', 100, 'cien/ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos', 100);
add(ES, 'hundreds', 800, 'ochocientos novecientos', 100);

const GERMAN = 'null eins zwei/zwo drei vier funf/fuenf sechs sieben acht neun';
const GERMAN_TENS = 'zwanzig dreissig vierzig funfzig/fuenfzig sechzig siebzig achtzig neunzig';
add(DE, 'digit', 0, GERMAN);
add(DE, 'teen', 10, 'zehn elf zwolf/zwoelf dreizehn vierzehn funfzehn/fuenfzehn sechzehn siebzehn achtzehn neunzehn');
add(DE, 'ten', 20, GERMAN_TENS, 10);
add(DE, 'hundred', 100, 'hundert');
for (const [index, tens] of GERMAN_TENS.split(' ').entries())
  for (const ten of tens.split('/'))
    add(DE, 'whole', index * 10 + 21, `${GERMAN.replace('null eins', 'ein').replaceAll(/(?=[ /]|$)/g, `und${ten}`)}`);

add(FR, 'digit', 0, 'zero un/une deux trois quatre cinq six sept huit neuf');
add(FR, 'teen', 10, 'dix onze douze treize quatorze quinze seize');
add(FR, 'ten', 20, 'vingt/vingts trente quarante cinquante soixante septante huitante/octante nonante', 10);
add(FR, 'hundred', 100, 'cent/cents');

/** Words that people say while they dictate. */
export const FILLERS = new Set(
  (
    'uh um er erm hm hmm mm ah ok okay then next ' + // English
    'eh este pues luego entonces ' +
    'ah ahm oh hm dann also nochmal ' +
    'euh ben puis ensuite alors ' +
    'and y et und'
  ).split(' '),
);
