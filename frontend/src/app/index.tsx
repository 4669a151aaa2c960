import '../styles/fonts.css';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/primitives.css';

import { start } from './start';

void start();
