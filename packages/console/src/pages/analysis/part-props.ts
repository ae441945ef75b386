import type { Content } from '../../data/extractor-content.ts';

/** Properties of each part of the form: the content, and how to change it. */
export interface PartProps {
  content: Content;
  set: (content: Content) => void;
}
