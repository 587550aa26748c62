"""Texts that the exhibits run where the visitor gives none."""

from itertools import cycle, islice

from engine.model import Model

PASSAGE = """\
The harbour master of the small town kept a notebook in which he wrote down the height of the \
water every morning and every evening. He had begun as a young man, because an old captain had \
told him that the sea forgets nothing, and that whoever writes for long enough will know it \
better than those who only look. In the first year the numbers seemed to follow no rule at all. \
The water rose and fell twice a day, but never at the same hour, and some days it reached the \
third step of the stone stairs while on others it hardly wetted the first. He wrote the figures \
down all the same, with the phase of the moon, the direction of the wind, and the weight of the \
air as his glass showed it.

After three years he bought a ruler and a large sheet of paper, and drew the numbers as a line. \
Then he saw what nobody in the town had ever seen. The line swung up and down like a rope that \
two children hold, and the swings grew and shrank with the moon. When the moon was full or new \
the swings were large, and when it was half they were small. The wind from the west lifted the \
whole line, and the wind from the east pressed it down. A low glass meant high water, as if the \
air had taken its thumb away. He showed the sheet to the teacher, who looked at it for a long \
time and asked whether he could say how high the water would be tomorrow. He thought for a \
moment, laid the ruler on the paper and answered that it would reach the second step at nine \
o'clock. The next morning it did.

From that day on the fishermen came to him before they went out. At first they asked only about \
the next tide, but soon they wanted to know about the next week, and the merchants asked about \
the next month. He learned that his answers were good for a few days and became worse after \
that. The moon could be known for years ahead, but the wind could not. So he began to give two \
numbers instead of one: the height that he expected, and how far the sea might stray from it. \
The fishermen laughed at the second number, until the storm in November, when the water stood a \
whole arm above the first number and just below the sum of both. After that they asked for the \
second number before the first.

The teacher wrote to the university, and a professor came by coach to see the notebooks. There \
were forty of them by then. The professor had a theory of the tides with many letters in it, and \
he was pleased to find that the letters and the numbers agreed. But he was troubled by one \
thing. Every few years there was a small wave in the records that his theory did not contain. It \
was no higher than a hand and lasted for a day, and it came after quiet weather, when no one \
expected anything. They compared the dates with everything they could think of: with earthquakes \
in distant countries, with the melting of the snow, with the days on which the lock of the canal \
was opened. Nothing fitted. In the end the professor proposed to leave those days out, since \
they spoiled the picture. The harbour master shook his head. He said that those were the days he \
had been writing for.

Many years later a young woman who had inherited the notebooks found the answer. She had no \
theory, but she had patience, and she had learned to bake from her grandmother, who used to say \
that a cake tells you what is missing if you taste it slowly. She read the forty notebooks from \
the first page to the last, and she noticed that on each of those days the handwriting was \
different. The lines were straighter and the ink was darker. On those days it had not been the \
harbour master who had read the scale, but his brother, who was a hand taller than he was, and \
who looked down at the water from a steeper angle. There had never been a wave. She wrote this \
on the last empty page, and below it she added a sentence that is now cut into the stone above \
the stairs: whoever measures the sea is a part of the measurement.

The town has an automatic gauge today. It sends a number to the capital every minute, and nobody \
has to get up in the morning to read it. But when the wind comes from the west and the glass \
falls, some people still walk down to the harbour, stand on the fourth step, and look at the \
third. They do not quite know why. They say that a number is a fine thing to have, and that the \
water is a fine thing to see, and that it does no harm to compare the two from time to time.
"""
"""About 950 tokens of plain prose, written for this purpose."""

FILLER = """\
In the morning the gardener opened the gate and walked along the gravel path to the greenhouse. \
The tomatoes had grown well, and the first beans were ready to be picked. He filled two cans \
with water, carried them to the far end, and began with the herbs. Parsley needs more water than \
thyme, and mint will take whatever it can get. Around ten the sun came over the wall, so he \
pulled the shade cloth across the roof. A robin sat on the handle of the spade and watched him. \
When the church bell rang at noon he ate his bread under the pear tree, wiped his knife, and \
looked at the clouds. It would rain before the evening, he thought, and the lettuce would be \
glad of it. In the afternoon he tied up the raspberries and swept the path, and before he left \
he wrote a list for the next day.
"""
"""About 180 tokens of prose that says nothing of any word that is asked for."""


def long_ids(model: Model, count: int, text: str = "") -> list[int]:
    """The first `count` token ids of a text; of the passage, over and over, where none is given."""
    if text:
        return model.raw_tokens(text)[:count]
    return list(islice(cycle(model.raw_tokens(PASSAGE)), count))
